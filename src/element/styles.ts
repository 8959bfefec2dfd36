import { css } from "lit";

/** The look. What may be changed is a custom property named `--bank-login-…`, or a `::part`. */
export const styles = css`
  :host {
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
    --success: var(--bank-login-success, light-dark(#12703c, #7fd6a3));
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

  h2,
  p,
  ul,
  fieldset {
    border: 0;
    margin: 0;
    min-inline-size: 0;
    padding: 0;
  }

  ul {
    list-style: none;
  }

  section,
  .step,
  fieldset,
  .field,
  .filters,
  .failure,
  ul {
    display: grid;
  }

  .step,
  fieldset {
    gap: 1rem;
  }

  .step:empty {
    display: none;
  }

  section {
    align-content: start;
    background: var(--surface);
    border: 1px solid var(--hairline);
    border-radius: calc(var(--radius) * 1.5);
    box-shadow: 0 1px 2px rgb(10 20 40 / 6%), 0 8px 24px rgb(10 20 40 / 8%);
    gap: 1.25rem;
    /* Steps of one height: nothing under the card jumps. */
    min-block-size: 34rem;
    padding: 0.75rem 1.125rem 1.5rem;
  }

  /* Room for a failure of three lines under a form that fills its card: the card keeps its height. */
  section:has(form):not(:has(.failure))::after {
    block-size: 5.5rem;
    content: "";
  }

  /* What gives up stands here alone, over everything else, in the same place in every step. */
  header {
    align-items: center;
    display: flex;
    gap: 0.5rem;
    margin-inline: -0.75rem;
    min-block-size: 4.5rem;
  }

  header > :not(.icon):first-child {
    margin-inline-start: 0.75rem;
  }

  header > :not(.icon):last-child {
    margin-inline-end: 0.75rem;
  }

  .titles {
    flex: 1;
    min-inline-size: 0;
  }

  .titles p {
    font-size: 0.875rem;
  }

  h2 {
    font-size: 1.125rem;
    font-weight: 650;
    line-height: 1.3;
    text-wrap: balance;
  }

  h2:focus {
    outline: none;
  }

  .quiet {
    color: var(--quiet);
  }

  fieldset:disabled :is(input, select) {
    background: var(--raised);
    border-color: var(--hairline);
    color: var(--quiet);
  }

  .field {
    gap: 0.375rem;
  }

  label {
    font-size: 0.9375rem;
    font-weight: 550;
  }

  label .quiet {
    font-weight: 400;
  }

  .entry {
    position: relative;
  }

  input,
  select {
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    color: inherit;
    font: inherit;
    inline-size: 100%;
    min-block-size: 3rem;
    padding: 0.5rem 0.875rem;
  }

  input:has(+ .reveal) {
    padding-inline-end: 5.5rem;
  }

  [aria-invalid="true"] {
    border-color: var(--danger);
    border-width: 2px;
  }

  input.code {
    font-size: 1.5rem;
    font-variant-numeric: tabular-nums;
    letter-spacing: 0.25em;
    text-align: center;
  }

  select {
    appearance: none;
    background: linear-gradient(45deg, #0000 50%, var(--quiet) 0) calc(100% - 1.25rem) / 0.375rem 0.375rem no-repeat,
      linear-gradient(-45deg, #0000 50%, var(--quiet) 0) calc(100% - 0.875rem) / 0.375rem 0.375rem no-repeat,
      var(--surface);
    padding-inline-end: 2rem;
    text-overflow: ellipsis;
  }

  fieldset:disabled .reveal {
    visibility: hidden;
  }

  .reveal {
    background: none;
    border: 0;
    color: var(--accent);
    inline-size: auto;
    inset-block: 0.125rem;
    inset-inline-end: 0.25rem;
    min-block-size: 2.75rem;
    padding: 0 0.75rem;
    position: absolute;
  }

  .invalid {
    color: var(--danger);
    font-size: 0.875rem;
  }

  button {
    background: none;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    color: inherit;
    cursor: pointer;
    font: inherit;
    font-weight: 550;
    inline-size: 100%;
    min-block-size: 3rem;
    padding: 0.5rem 1rem;
  }

  button:hover {
    background: var(--raised);
  }

  button:disabled {
    cursor: default;
  }

  button.icon {
    border-color: transparent;
    flex: none;
    inline-size: 3rem;
    padding: 0.6875rem;
  }

  .icon svg {
    block-size: 1.5rem;
    display: block;
    inline-size: 1.5rem;
  }

  button.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 650;
  }

  button.primary:hover:enabled {
    filter: brightness(0.94);
  }

  button:disabled:has(.spinner) {
    align-items: center;
    display: flex;
    gap: 0.75rem;
    justify-content: center;
  }

  button .spinner {
    block-size: 1.25rem;
    border-color: color-mix(in srgb, currentColor 35%, transparent);
    border-block-start-color: currentColor;
    inline-size: 1.25rem;
  }

  :is(input, select, button, a):focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }

  :is(input, select):focus-visible {
    outline-offset: -2px;
  }

  .banks {
    gap: 0.25rem;
    margin-inline: -0.5rem;
  }

  /* A list of its own height where there is room for it. On a telephone the page scrolls, and nothing in it. */
  @media (min-width: 40rem) and (min-height: 40rem) {
    section:has(.banks) {
      block-size: 34rem;
      grid-template-rows: auto 1fr;
    }

    .step:has(.banks) {
      grid-template-rows: auto 1fr;
      min-block-size: 0;
    }

    .banks {
      margin-block-end: -1.5rem;
      overflow-y: auto;
      padding: 0.25rem 0.5rem 1rem;
    }
  }

  .banks button,
  .clients button {
    align-items: center;
    border-color: transparent;
    display: flex;
    gap: 0.875rem;
    padding-inline: 0.5rem;
    text-align: start;
  }

  .clients {
    gap: 0.5rem;
  }

  .clients button {
    border-color: var(--hairline);
    padding-inline: 1rem;
  }

  .banks .name {
    flex: 1;
    min-inline-size: 0;
  }

  .banks .quiet {
    font-size: 0.8125rem;
    font-weight: 400;
  }

  .logo {
    background: var(--raised);
    block-size: 2.5rem;
    border-radius: 50%;
    color: var(--accent);
    display: grid;
    flex: none;
    font-size: 0.875rem;
    font-weight: 650;
    inline-size: 2.5rem;
    overflow: hidden;
    place-items: center;
    position: relative;
  }

  .logo img {
    background: #fff;
    block-size: 100%;
    inline-size: 100%;
    inset: 0;
    object-fit: contain;
    position: absolute;
  }

  .filters {
    gap: 0.75rem;
  }

  @container (min-width: 24rem) {
    section {
      padding-inline: 1.5rem;
    }

    h2 {
      font-size: 1.25rem;
    }

    .filters {
      grid-template-columns: 1fr 9.5rem;
    }
  }

  .failure {
    background: var(--danger-surface);
    border-inline-start: 4px solid var(--danger);
    border-radius: 0.375rem;
    gap: 0.25rem;
    padding: 0.875rem 1rem;
  }

  .failure strong {
    color: var(--danger);
  }

  .failure a {
    color: inherit;
    display: block;
    padding-block: 0.625rem;
  }

  /* Banks draw on white. */
  .picture,
  .picture:hover {
    background: #fff;
    border-color: var(--hairline);
    cursor: zoom-in;
    overflow: auto;
    padding: 0.5rem;
  }

  .picture img {
    block-size: auto;
    display: block;
    margin-inline: auto;
    max-block-size: 10rem;
    max-inline-size: 100%;
  }

  .picture[aria-pressed="true"] {
    cursor: zoom-out;
  }

  .picture[aria-pressed="true"] img {
    max-block-size: none;
    max-inline-size: none;
    min-inline-size: 100%;
  }

  .question {
    background: var(--raised);
    border-radius: var(--radius);
    padding: 0.875rem 1rem;
  }

  :is(.wait, .done) {
    align-content: center;
    display: grid;
    gap: 1.25rem;
    justify-items: center;
    min-block-size: 18rem;
    text-align: center;
    text-wrap: pretty;
  }

  .spinner {
    animation: turn 0.9s linear infinite;
    block-size: 2rem;
    border: 3px solid var(--hairline);
    border-block-start-color: var(--accent);
    border-radius: 50%;
    flex: none;
    inline-size: 2rem;
  }

  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .spinner {
      animation-duration: 6s;
    }
  }

  @media (forced-colors: active) {
    .spinner {
      border-block-start-color: Highlight;
    }

    select {
      appearance: auto;
    }
  }

  .done svg {
    block-size: 4rem;
    color: var(--success);
    inline-size: 4rem;
  }

  .announcement {
    block-size: 1px;
    clip-path: inset(50%);
    inline-size: 1px;
    overflow: hidden;
    position: absolute;
    white-space: nowrap;
  }
`;
