import { type CSSResult, css, unsafeCSS } from "lit";

// Light and dark.
const colors = {
  accent: ["#1f4fd8", "#9db8ff"],
  "on-accent": ["#fff", "#0c1a3d"],
  surface: ["#fff", "#151922"],
  raised: ["#f4f6fa", "#1f2531"],
  text: ["#131a26", "#eef1f6"],
  quiet: ["#505a6b", "#aab3c2"],
  line: ["#858f9f", "#7c8696"],
  hairline: ["#dfe3ea", "#303848"],
  danger: ["#b3261e", "#ffb4ab"],
  "danger-surface": ["#fdf0ef", "#3a1f1d"],
  success: ["#12703c", "#7fd6a3"],
} as const;

const declareColors = (paint: (light: string, dark: string) => string): CSSResult =>
  unsafeCSS(
    Object.entries(colors)
      .map(([name, [light, dark]]) => `--${name}: var(--bank-login-${name}, ${paint(light, dark)});`)
      .join(""),
  );

/** Colours, fonts and measures. A page can change the custom properties `--bank-login-…` and each `::part`. */
export const theme = css`
  :host {
    ${declareColors((light) => light)}
    --radius: var(--bank-login-radius, 0.75rem);

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
      ${declareColors((light, dark) => `light-dark(${light}, ${dark})`)}
    }
  }

  :host([hidden]) {
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
