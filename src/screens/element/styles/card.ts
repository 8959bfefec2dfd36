import { css } from "lit";

/** The card and what stands over every step. */
export const card = css`
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

  .field,
  .failure,
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

  section > .step,
  form,
  .notes {
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
    box-shadow: 0 1px 2px rgb(10 20 40 / 6%), 0 8px 24px rgb(10 20 40 / 8%);
    /* Steps of one height: nothing below the card moves. */
    min-block-size: 38rem;
    padding: calc(var(--space) * 0.75) calc(var(--space) * 1.125) calc(var(--space) * 1.25);
  }

  @media (prefers-reduced-motion: no-preference) {
    .step > * {
      animation: enter 0.2s ease-out;
    }
  }

  @keyframes enter {
    from {
      opacity: 0;
      translate: 0 0.5rem;
    }
  }

  /* The buttons to go back and to close, in the same place in every step. */
  header {
    align-items: center;
    display: flex;
    gap: 0.5rem;
    margin-inline: calc(var(--space) * -0.75);
    min-block-size: 5.625rem;
  }

  header > .icon {
    align-self: start;
    margin-block: 0.75rem;
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

  /* With large letters the title has a row of its own, and the names of banks have the room of the logos. */
  @container (max-width: 12rem) {
    .banks .logo {
      display: none;
    }
  }

  @container (max-width: 17rem) {
    header {
      flex-wrap: wrap;
    }

    header .logo {
      display: none;
    }

    header > .icon:last-child {
      margin-inline-start: auto;
    }

    .titles {
      flex-basis: calc(100% - 1.5rem);
      margin-inline: 0.75rem;
      order: 1;
    }
  }

  .titles p {
    font-size: 0.875rem;
    line-height: 1.3;
  }

  /* In whole: a name that is cut could be another bank's. */
  h2 {
    font-size: 1.125rem;
    font-weight: 650;
    line-height: 1.3;
    text-wrap: balance;
  }

  .lead,
  .name {
    display: block;
  }

  .lead {
    color: var(--quiet);
    font-size: 0.875rem;
    font-weight: 400;
  }

  h2:focus {
    outline: none;
  }

  .quiet {
    color: var(--quiet);
  }
`;
