import type { FieldLabels, Received } from "./path-types.ts";

/** Acts on a login screen as a person would. Every method may return a promise, and throws if its action is impossible. */
export interface LoginDriver {
  /** Chooses a client by its id. */
  choose(value: string): unknown;
  /** Puts the values into the form's fields, in their order, without sending it. */
  fill(values: Readonly<Record<string, string>>): unknown;
  /** Sends the form. */
  submit(): unknown;
  /** Types in the answer to the bank's question and sends it: a text, or one for each field by name, if the bank asks for several. A
   * field that the screen does not show, such as a confirmation's, is left as it is. */
  answer(answer: string | Readonly<Record<string, string>>): unknown;
  /** Cancels the login. */
  cancel(): unknown;
  /** Closes the session in the login's way. */
  replaceSession(): unknown;
  /** The state that the screen shows: the `state` of its view. Called repeatedly, so it must not wait. */
  currentState(): string | Promise<string>;
  /**
   * All text that the screen shows. With it, a run also fails if a failure or a question is not shown, or if the failure of an
   * earlier try still is. Called repeatedly, so it must not wait. Default: texts are not checked.
   */
  currentText?(): string | Promise<string>;
  /**
   * What the bank has received so far: `received` of the `fetchFor(path)` of the screen. A run fails if the bank received another value than the path gave,
   * did not receive the request that leads to a state, or received a login twice. Default: that of the last `fetchFor(path)` in the same program; without one, as with a page in a
   * browser, requests are not checked.
   */
  received?(): readonly Received[] | Promise<readonly Received[]>;
  /**
   * The visible fields of the screen, by name, with their values. With it, a run also fails if the screen lacks
   * fields that the bank asks for, has those of another bank or question, loses what was typed, or keeps a password or an answer that was sent. Called
   * repeatedly, so it must not wait. Default: fields are not checked.
   */
  currentFields?(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * The labels of the visible fields, and their choices, by the names of the fields. With it, a run also fails if labels are
   * swapped, a field shows its name instead of its label, or a choice has another language or another value. Called repeatedly, so it must not
   * wait. Default: labels are not checked.
   */
  fieldLabels?(): FieldLabels | Promise<FieldLabels>;
  /**
   * Presses the last pressed button once more, as a person who taps twice does. Called while its request is held.
   * Returns the button's name if it was enabled, and `undefined` if it is disabled or gone. Default: this is not checked.
   */
  pressTwice?(): string | undefined | Promise<string | undefined>;
  /** Switches the screen to another language or theme. Default: paths skip this action. */
  changeAppearance?(): unknown;
  /**
   * Takes a picture of a screen that has left a path, and returns where it is, or the screen as a text. It is part of the message of the
   * `PathError`. It has a fifth of the run's `timeout`, at least 0.8 seconds. Default: no picture.
   */
  takePicture?(): string | undefined | Promise<string | undefined>;
}

/** Acts on a link screen as a person would. */
export interface LinkDriver extends LoginDriver {
  /** Chooses a bank by its code, or a client by its id. */
  choose(value: string): unknown;
  /** Tries again what failed. */
  retry(): unknown;
  /** Goes back to the list of banks. */
  changeProvider(): unknown;
  /** Ends the flow. */
  cancelLink(): unknown;
}
