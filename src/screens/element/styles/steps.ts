import { css } from "lit";

/** The parts of single steps: banks, clients, failures, pictures, questions, waits and the end. */
export const steps = css`
  .banks {
    gap: 0.25rem;
    margin-inline: -0.5rem;
  }

  /* A list that scrolls, if there is room for it. On a phone only the page scrolls. */
  @media (min-width: 40rem) and (min-height: 40rem) {
    section:has(.banks) {
      block-size: 37rem;
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
      --lines: 2;
      font-size: 1.25rem;
    }

    .filters {
      grid-template-columns: 1fr 9.5rem;
    }
  }

  .failure,
  .room {
    background: var(--danger-surface);
    border-inline-start: 4px solid var(--danger);
    border-radius: 0.375rem;
    font-size: 0.9375rem;
    padding: 0.75rem 1rem;
  }

  .room {
    visibility: hidden;
  }

  section:not(:has(form)) > .room {
    display: none;
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
