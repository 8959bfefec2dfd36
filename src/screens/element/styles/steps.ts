import { css } from "lit";

/** The parts of single steps: banks, clients, failures, pictures, questions, waits and the end. */
export const steps = css`
  .search {
    background: var(--surface);
    inset-block-start: 0;
    margin-block: -0.5rem;
    padding-block: 0.5rem;
    position: sticky;
    z-index: 1;
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
    padding-inline-start: 2.625rem;
  }

  ::placeholder {
    color: var(--quiet);
    opacity: 1;
  }

  .banks {
    gap: 0.25rem;
    margin-inline: -0.5rem;
  }

  /* A list that scrolls, if there is room for it. On a phone only the page scrolls. */
  @media (min-width: 40rem) and (min-height: 40rem) {
    section:has(.banks) {
      block-size: 38rem;
    }

    .step:has(.banks) {
      min-block-size: 0;
    }

    .banks {
      align-content: start;
      flex: 1;
      margin-block-end: calc(var(--space) * -1.25);
      margin-inline: -1rem;
      overflow-y: auto;
      padding: 0.25rem 0.5rem var(--space);
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
    margin-block: auto;
  }

  .clients button {
    border-color: var(--hairline);
    padding-inline: 1rem;
  }

  .names {
    display: grid;
    line-height: 1.35;
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
    font-size: calc(1.125rem - var(--letters) * 0.09375rem);
    font-weight: 650;
    inline-size: 2.5rem;
    overflow: hidden;
    place-items: center;
    position: relative;
    white-space: nowrap;
  }

  /* Colours of one lightness, whatever the hue: each has enough contrast. */
  @supports (color: light-dark(red, red)) {
    .logo {
      background: light-dark(oklch(93% 0.05 var(--hue)), oklch(35% 0.07 var(--hue)));
      color: light-dark(oklch(42% 0.12 var(--hue)), oklch(90% 0.06 var(--hue)));
    }
  }

  .logo img {
    background: #fff;
    block-size: 100%;
    inline-size: 100%;
    inset: 0;
    object-fit: contain;
    position: absolute;
  }

  @container (min-width: 24rem) {
    section {
      padding-inline: calc(var(--space) * 1.5);
    }

    h2 {
      --lines: 2;
      font-size: 1.25rem;
    }
  }

  [part="privacy"] {
    display: flex;
    text-wrap: pretty;
    font-size: 0.875rem;
    gap: 0.625rem;
    line-height: 1.4;
  }

  [part="privacy"] svg {
    block-size: 1.125rem;
    flex: none;
    inline-size: 1.125rem;
  }

  .notes {
    display: grid;
    gap: 0.75rem;
    grid-template-rows: 1fr auto;
  }

  .room,
  .room + * {
    grid-area: 1 / 1;
  }

  .failure:not(.message),
  .room {
    align-self: start;
    background: var(--danger-surface);
    border-inline-start: 4px solid var(--danger);
    border-radius: min(var(--radius), 0.375rem);
    font-size: 0.875rem;
    line-height: 1.4;
    padding: 0.625rem 0.875rem;
  }

  .room {
    visibility: hidden;
  }

  [part="countdown"] {
    align-self: end;
    font-size: 0.9375rem;
    text-align: center;
  }

  .step > [part="countdown"] {
    align-self: stretch;
  }

  .short {
    color: var(--danger);
    font-weight: 650;
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

  .step > svg {
    align-self: center;
    background: var(--raised);
    block-size: 3.5rem;
    border-radius: 50%;
    color: var(--accent);
    flex: none;
    inline-size: 3.5rem;
    padding: 0.75rem;
    stroke-width: 1.5;
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

  .message svg {
    block-size: 4rem;
    color: var(--quiet);
    inline-size: 4rem;
    stroke-width: 1.5;
  }

  .done svg {
    color: var(--success);
  }

  .failure svg {
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

    .logo,
    .question {
      border: 1px solid;
    }

    button.primary {
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
