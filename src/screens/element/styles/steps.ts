import { css, unsafeCSS } from "lit";
import { HUES } from "../bank-face.ts";

const hues = Array.from({ length: HUES }, (_, at) => `.hue-${at} { --hue: ${(at * 360) / HUES}; }`).join("\n");

/** The parts of single steps: lists, failures, pictures, questions, waits and the end. */
export const steps = css`
  .filters {
    background: var(--surface);
    display: flex;
    gap: 0.5rem;
    inset-block-start: 0;
    margin-block: calc(var(--space) * -0.5);
    padding-block: calc(var(--space) * 0.5);
    position: sticky;
    z-index: 1;
  }

  .search {
    flex: 1;
    min-inline-size: min(9rem, 100%);
  }

  .search svg {
    block-size: 1.25rem;
    color: var(--quiet);
    inline-size: 1.25rem;
    inset: calc(50% - 0.625rem) auto auto 0.875rem;
    pointer-events: none;
    position: absolute;
  }

  .search input {
    padding-inline: 2.625rem 0.5rem;
  }

  /* A chip: the search is what most people need. */
  #country {
    background-color: var(--raised);
    border-color: transparent;
    border-radius: calc(var(--radius) * 2);
    field-sizing: content;
    flex: none;
    font-size: 0.875rem;
    inline-size: auto;
    max-inline-size: 40%;
    padding-inline: 0.875rem 2rem;
  }

  ::placeholder {
    color: var(--quiet);
    opacity: 1;
  }

  .list {
    margin-inline: calc(var(--space) * -0.5);
  }

  /* A list that scrolls, if there is room for it. On a phone only the page scrolls. */
  @media (min-width: 40rem) and (min-height: 40rem) {
    section:has(.list),
    section[data-state="loadingProviders"] {
      block-size: 36rem;
    }

    .step:has(.list) {
      min-block-size: 0;
    }

    .list {
      align-content: start;
      flex: 1;
      margin-block-end: calc(var(--space) * -1.25);
      margin-inline: calc(var(--space) * -1.25);
      overflow-y: auto;
      padding: 0.25rem calc(var(--space) * 0.75) var(--space);
    }
  }

  .list button {
    align-items: center;
    border-color: transparent;
    display: flex;
    gap: 0.875rem;
    min-block-size: 3.5rem;
    padding-inline: calc(var(--space) * 0.5);
    text-align: start;
  }

  /* Where it leads. */
  .list button::after,
  .clients button::after {
    block-size: 0.5rem;
    border: solid var(--line);
    border-width: 2px 2px 0 0;
    content: "";
    flex: none;
    inline-size: 0.5rem;
    margin-inline: auto 0.25rem;
    rotate: 45deg;
    transition: translate 0.15s;
  }

  .list button:is(:hover, :focus-visible)::after,
  .clients button:is(:hover, :focus-visible)::after {
    border-color: var(--accent);
    translate: 0.125rem 0;
  }

  .list li + li {
    border-block-start: 1px solid color-mix(in srgb, var(--hairline) 60%, transparent);
  }

  .clients:not(.list) {
    gap: 0.5rem;
  }

  .clients:not(.list) button {
    border-color: var(--hairline);
    align-items: center;
    display: flex;
    gap: 0.75rem;
    min-block-size: 3.5rem;
    text-align: start;
  }

  .names {
    display: grid;
    line-height: 1.3;
  }

  .names .quiet {
    font-size: 0.8125rem;
    font-weight: 400;
  }

  /* A search without a result: what can be done. */
  .nothing {
    align-items: start;
    display: flex;
    flex-direction: column;
    gap: calc(var(--space) * 0.75);
  }

  .logo {
    background: var(--raised);
    block-size: 2.5rem;
    border-radius: min(var(--radius), 50%);
    color: var(--accent);
    display: grid;
    flex: none;
    font-size: 0.9375rem;
    font-weight: 650;
    inline-size: 2.5rem;
    overflow: hidden;
    place-items: center;
    position: relative;
    white-space: nowrap;
  }

  .letters-3 {
    font-size: 0.84375rem;
  }

  .letters-4 {
    font-size: 0.75rem;
  }

  ${unsafeCSS(hues)}

  /* Colours of one lightness, whatever the hue: each has enough contrast. */
  @supports (color: light-dark(red, red)) {
    .logo {
      background: light-dark(oklch(93% 0.05 var(--hue)), oklch(35% 0.07 var(--hue)));
      color: light-dark(oklch(42% 0.12 var(--hue)), oklch(90% 0.06 var(--hue)));
    }
  }

  /* A plate with an edge: a logo may be white, or wide. */
  .logo img {
    background: #fff;
    block-size: 100%;
    border: 1px solid var(--hairline);
    border-radius: inherit;
    inline-size: 100%;
    inset: 0;
    object-fit: contain;
    padding: 2px;
    position: absolute;
  }

  .logo img:not(.loaded) {
    opacity: 0;
  }

  @container (min-width: 24rem) {
    section {
      padding-inline: calc(var(--space) * 1.5);
    }

    header {
      margin-inline: calc(var(--space) * -1.5);
    }
  }

  /* One place above the fields: who gets what is typed, then what happens, then what went wrong. It has room for the longest text. */
  .notes {
    display: grid;
  }

  .room {
    /* Three lines, as of what happens. */
    min-block-size: 5rem;
  }

  .notes > * {
    align-content: center;
    grid-area: 1 / 1;
  }

  .room {
    visibility: hidden;
  }

  .room,
  .failure:not(.message),
  .warning,
  .progress,
  .note {
    border-radius: var(--radius);
    font-size: 0.875rem;
    line-height: 1.4;
    padding: 0.625rem 0.875rem;
  }

  .progress,
  .note {
    background: var(--raised);
    white-space: pre-line;
  }

  .progress {
    counter-reset: line;
    display: grid;
    white-space: normal;
  }

  .progress li {
    counter-increment: line;
    display: flex;
    gap: 0.625rem;
  }

  .progress li::before {
    color: var(--accent);
    content: counter(line);
    flex: none;
    font-weight: 650;
  }

  .failure:not(.message) {
    background: var(--danger-surface);
    color: var(--text);
    box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--danger) 35%, transparent);
  }

  .warning {
    background: var(--warning-surface);
    box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--warning) 35%, transparent);
    flex-wrap: wrap;
  }

  .warning svg {
    color: var(--warning);
  }

  .warning p {
    flex: 1;
  }

  .warning button {
    background: var(--surface);
    border-color: color-mix(in srgb, var(--warning) 50%, transparent);
    min-block-size: 2.75rem;
  }

  .warning,
  .note {
    align-items: center;
    display: flex;
    gap: 0.5rem 0.75rem;
    text-wrap: pretty;
  }

  :is(.warning, .note) svg {
    block-size: 1.25rem;
    flex: none;
    inline-size: 1.25rem;
  }

  [part="countdown"] {
    font-variant-numeric: tabular-nums;
  }

  /* Below the button a line is kept free, so that the time moves nothing. */
  .foot,
  [part="countdown"] {
    font-size: 0.875rem;
    line-height: 1.25rem;
    text-align: center;
  }

  .foot {
    margin-block: calc(var(--space) * -0.5);
    min-block-size: 1.25rem;
  }

  /* The field of a confirmation, for a person who has a code. */
  details {
    display: grid;
    gap: var(--space);
  }

  summary {
    align-content: center;
    border-radius: var(--radius);
    color: var(--accent);
    cursor: pointer;
    font-weight: 550;
    min-block-size: 2.75rem;
    text-align: center;
  }

  .note .spinner {
    block-size: 1.5rem;
    inline-size: 1.5rem;
  }

  /* As large as a finger, in a line of text. */
  .help {
    color: var(--accent);
    display: inline-block;
    margin-block: -0.75rem;
    padding-block: 0.75rem;
  }

  .short {
    color: var(--danger);
    font-weight: 650;
  }

  /* With the room of its target the card would be higher than that of most forms. */
  .step > details {
    font-size: 0.875rem;
    margin-block: auto calc(var(--space) * -0.75);
  }

  .step > details[open] {
    margin-block-end: 0;
  }

  details > p + button {
    margin-block-start: calc(var(--space) * 0.75);
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
    font-size: 1.0625rem;
    font-weight: 550;
    scroll-margin: 0.25rem;
    text-align: center;
    text-wrap: balance;
  }

  .sign {
    align-self: center;
    background: color-mix(in srgb, currentColor 12%, transparent);
    block-size: 3.5rem;
    border-radius: 50%;
    color: var(--accent);
    flex: none;
    inline-size: 3.5rem;
    justify-self: center;
    padding: 0.875rem;
    stroke-width: 1.75;
  }

  :is(.wait, .message) {
    align-items: center;
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: var(--space);
    justify-content: center;
    text-align: center;
    text-wrap: balance;
  }

  .message + .help {
    align-self: center;
  }

  .message .sign {
    block-size: 4.5rem;
    color: var(--quiet);
    inline-size: 4.5rem;
    padding: 1rem;
  }

  .done .sign {
    color: var(--success);
  }

  @media (prefers-reduced-motion: no-preference) {
    .done path {
      animation: draw 0.5s cubic-bezier(0.2, 0.7, 0.3, 1) 0.2s both;
      stroke-dasharray: 1;
    }
  }

  /* The mark of a finished login is drawn as by a pen. */
  @keyframes draw {
    from {
      stroke-dashoffset: 1;
    }
  }

  .failure .sign {
    color: var(--danger);
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

    [aria-invalid="true"] {
      border-style: dashed;
    }

    .logo,
    .notes > :not(.room) {
      border: 1px solid;
    }

    .primary {
      background: ButtonText;
      color: ButtonFace;
      forced-color-adjust: none;
    }

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
