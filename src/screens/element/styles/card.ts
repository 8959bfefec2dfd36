import { css } from "lit";

/** The card and what stands over every step. Distances are multiples of a quarter of `--space`. */
export const card = css`
  h2,
  p,
  ul,
  ol,
  fieldset {
    border: 0;
    margin: 0;
    min-inline-size: 0;
    padding: 0;
  }

  ul,
  ol {
    list-style: none;
  }

  .field,
  ul {
    display: grid;
  }

  section,
  .step,
  form {
    display: flex;
    flex-direction: column;
    gap: var(--space);
  }

  section > .step {
    flex: 1;
  }

  /* Its fields are laid out in the form. */
  fieldset {
    display: contents;
  }

  section {
    background: var(--surface);
    border: 1px solid var(--hairline);
    border-radius: calc(var(--radius) * 1.5);
    box-shadow: 0 1px 2px rgb(16 24 40 / 5%), 0 16px 32px -12px rgb(16 24 40 / 16%);
    /* A little more than most forms need, and never more than a window. */
    min-block-size: min(28rem, 85svh);
    padding: 0 calc(var(--space) * 1.25) calc(var(--space) * 1.25);
  }

  @media (prefers-reduced-motion: no-preference) {
    .step {
      animation: enter 0.24s cubic-bezier(0.2, 0.7, 0.3, 1);
    }
  }

  @keyframes enter {
    from {
      opacity: 0;
      translate: 0 0.5rem;
    }
  }

  /*
   * The buttons to go back and to close are in the same place in every step, whatever the length of a name. The titles have a row of their own if their
   * longest word does not fit beside the logos.
   */
  header {
    align-items: start;
    border-block-end: 1px solid var(--hairline);
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5rem;
    margin-inline: calc(var(--space) * -1.25);
    min-block-size: 3.5rem;
    padding-inline: 0.5rem 3.5rem;
    position: relative;
  }

  header > .icon {
    margin-block: 0.25rem;
  }

  header > .icon:last-child {
    inset: 0 0.5rem auto auto;
    position: absolute;
  }

  header .faces {
    display: flex;
    margin: 0.5rem -0.5rem 0.5rem 0;
  }

  /* Who asks, and the bank that is asked. */
  .faces .logo + .logo {
    box-shadow: 0 0 0 2px var(--surface);
    margin-inline-start: -0.125rem;
  }

  header .titles {
    align-content: center;
    align-self: stretch;
    display: flex;
    flex: 1 1 min-content;
    flex-wrap: wrap;
    margin-inline-start: calc(var(--space) * 1.25 - 0.5rem);
    min-inline-size: min(8.5rem, 100%);
    overflow-wrap: break-word;
    /* With two lines it is as high as the header. */
    padding-block: 0.5rem;
  }

  /* Three lines fill the header: the third one has the kinds of account of a bank. */
  header .titles:has(p) {
    padding-block: 0.375rem;
  }

  .titles > div {
    min-inline-size: 0;
  }

  /* With large letters the names of banks have the room of the logos and below the buttons. */
  @container (max-width: 17rem) {
    .filters {
      flex-wrap: wrap;
    }

    .banks .logo {
      display: none;
    }

    .icon ~ .titles {
      flex-basis: 100%;
      margin-inline-end: -2.75rem;
    }
  }

  @container (max-width: 12rem) {
    .faces {
      display: none;
    }

    .titles:first-child {
      margin-inline-end: -2.75rem;
    }

    .titles:first-child:not(:last-child) {
      margin-block-start: 3rem;
    }
  }

  /* In whole: a name that is cut could be another bank's. */
  h2 {
    font-size: 1.125rem;
    font-weight: 650;
    letter-spacing: -0.01em;
    line-height: 1.3;
    text-wrap: balance;
  }

  .lead,
  .name {
    display: block;
  }

  .lead,
  .titles p {
    color: var(--quiet);
    font-size: 0.8125rem;
    font-weight: 400;
    letter-spacing: 0;
    line-height: 1.3;
  }

  .titles [part="account-types"] {
    font-size: 0.75rem;
  }

  /* Above and below a name of one line, both fit into the height of the buttons. */
  .lead,
  .titles [part="account-types"] {
    line-height: 1.2;
  }

  h2:focus {
    outline: none;
  }

  .quiet {
    color: var(--quiet);
  }
`;
