/** How a login behaves; the defaults keep to the contract. Plain data, fit for JSON. */
export interface LoginSettings {
  /** Read the provider's fields first and refuse a missing or unknown one, by name, before anything is sent. Default false. */
  readonly validate?: boolean;
  /** Choose a client through `/client/`. Beyond the contract. Default false: `selectClient` rests. */
  readonly clientSelection?: boolean;
  /**
   * Close the other session after `max_sessions_reached` and log in again, once. `login()` does so by itself; a screen offers it, as
   * the event `session.replace`. Beyond the contract. Default false: the outcome has the key of the other session.
   */
  readonly sessionReplacement?: boolean;
  /** The most interactions of one login, which protects the account from a loop: `too_many_interactions`. Default 10. */
  readonly interactionLimit?: number;
  /**
   * Milliseconds to answer an interaction or to choose a client, after which the login ends with `expired`. `Infinity` for no limit.
   * Default 300 000, five minutes.
   */
  readonly answerTimeout?: number;
  /**
   * When the whole login is given up, in milliseconds since the epoch. A question open by then ends with `expired`, a request under
   * way with `request_timed_out`. Default: never.
   */
  readonly deadline?: number;
}
