import { css } from "lit";

/** Fields and buttons. */
export const controls = css`
  fieldset:disabled :is(input, select, .choice) {
    background: var(--raised);
    border-color: var(--hairline);
    color: var(--quiet);
  }

  .field {
    gap: 0.375rem;
    margin-block-end: calc(var(--space) * -0.5);
  }

  .label {
    font-size: 0.9375rem;
    font-weight: 550;
  }

  .label .quiet {
    font-weight: 400;
  }

  .entry {
    position: relative;
  }

  input,
  select,
  .choice {
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    color: inherit;
    font: inherit;
    inline-size: 100%;
    min-block-size: 3rem;
    padding: 0.5rem 0.875rem;
  }

  .entry:has(.reveal) > input {
    padding-inline-end: 5.5rem;
  }

  input.code {
    font-size: 1.5rem;
    font-variant-numeric: tabular-nums;
    letter-spacing: 0.25em;
    padding-block: 0;
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

  /* A few choices, each in sight. */
  .choices {
    display: grid;
    gap: 0.5rem;
  }

  .choice {
    align-items: center;
    cursor: pointer;
    display: flex;
    gap: 0.75rem;
  }

  /* The control is the whole card; its mark is drawn beside the text. */
  .choice {
    position: relative;
  }

  .choice input {
    appearance: none;
    background: none;
    block-size: 100%;
    border-color: transparent;
    cursor: inherit;
    inset: 0;
    margin: 0;
    position: absolute;
  }

  .choice::before {
    block-size: 1.25rem;
    border: 2px solid var(--line);
    border-radius: 50%;
    content: "";
    flex: none;
    inline-size: 1.25rem;
  }

  .choice:has(:checked)::before {
    border: 0.375rem solid var(--accent);
  }

  .choice:hover {
    background: var(--raised);
  }

  .choice:has(:checked) {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
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

  /* Its line is kept free, right below its field, so that it moves nothing. */
  .invalid {
    color: var(--danger);
    font-size: 0.875rem;
    line-height: 1.25rem;
    margin-block-start: -0.25rem;
    min-block-size: 1.25rem;
  }

  button,
  :where(a.primary) {
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

  /* Not during a request: the mouse is still on the button that was pressed. */
  :where(button:enabled):hover {
    background: var(--raised);
  }

  button:disabled {
    cursor: default;
  }

  /* In a form that waits for its script. */
  button:disabled:not(:disabled *) {
    opacity: 0.6;
  }

  .icon {
    border-color: transparent;
    flex: none;
    inline-size: 3rem;
    padding: 0.75rem;
  }

  .icon svg {
    block-size: 1.375rem;
    display: block;
    inline-size: 1.375rem;
  }

  .primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 650;
    text-wrap: balance;
  }

  .primary:hover:not(:disabled) {
    background: var(--accent);
    filter: brightness(0.94);
  }

  a.primary {
    align-content: center;
    text-align: center;
    text-decoration: none;
  }

  button:disabled:has(.spinner) {
    align-items: center;
    display: flex;
    font-size: 0.9375rem;
    gap: 0.5rem;
    justify-content: center;
    padding-inline: 0.5rem;
  }

  button .spinner {
    block-size: 1.25rem;
    border-color: color-mix(in srgb, currentColor 35%, transparent);
    border-block-start-color: currentColor;
    inline-size: 1.25rem;
  }

  :is(input, select, button, a, summary):focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }

  :is(input, select):focus-visible {
    outline-offset: -2px;
  }

  [aria-invalid="true"],
  [aria-invalid="true"] .choice {
    border-color: var(--danger);
    box-shadow: inset 0 0 0 1px var(--danger);
    outline-color: var(--danger);
  }
`;
