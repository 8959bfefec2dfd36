import { css, unsafeCSS } from "lit";

// Light and dark.
const colors = `
  --accent: var(--bank-login-accent, light-dark(#1f4fd8, #9db8ff));
  --on-accent: var(--bank-login-on-accent, light-dark(#fff, #0c1a3d));
  --surface: var(--bank-login-surface, light-dark(#fff, #151922));
  --raised: var(--bank-login-raised, light-dark(#f4f6fa, #1f2531));
  --text: var(--bank-login-text, light-dark(#131a26, #eef1f6));
  --quiet: var(--bank-login-quiet, light-dark(#505a6b, #aab3c2));
  --line: var(--bank-login-line, light-dark(#858f9f, #7c8696));
  --hairline: var(--bank-login-hairline, light-dark(#dfe3ea, #303848));
  --danger: var(--bank-login-danger, light-dark(#b3261e, #ffb4ab));
  --danger-surface: var(--bank-login-danger-surface, light-dark(#fdf0ef, #3a1f1d));
  --warning: var(--bank-login-warning, light-dark(#8a5200, #ffcf70));
  --warning-surface: var(--bank-login-warning-surface, light-dark(#fff5dc, #382b12));
  --success: var(--bank-login-success, light-dark(#12703c, #7fd6a3));
`;

/** Colours, fonts and measures. A page can change the custom properties `--bank-login-…` and each `::part`. */
export const theme = css`
  :host {
    ${unsafeCSS(colors.replaceAll(/light-dark\((#\w+), ?#\w+\)/g, "$1"))}
    --radius: var(--bank-login-radius, 0.75rem);
    --space: var(--bank-login-spacing, 1rem);

    color: var(--text);
    container-type: inline-size;
    display: block;
    font-family: var(--bank-login-font, system-ui, sans-serif);
    font-size: 1rem;
    line-height: 1.5;
    max-inline-size: var(--bank-login-width, 26rem);
    overflow-wrap: anywhere;
    text-align: start;
  }

  /* Browsers before 2024 have light colours. */
  @supports (color: light-dark(red, red)) {
    :host {
      ${unsafeCSS(colors)}
    }
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  /* A rule of its own: browsers before 2024 don't know the selector. */
  :host([popover]:not(:popover-open)) {
    display: none;
  }

  /* Without a theme of its own the component follows the color-scheme of the page. */
  :host([theme="light"]) {
    color-scheme: light;
  }

  :host([theme="dark"]) {
    color-scheme: dark;
  }

  :host([theme="auto"]) {
    color-scheme: light dark;
  }

  * {
    box-sizing: border-box;
  }
`;
