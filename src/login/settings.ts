/** How a login behaves; the defaults keep to the contract. Plain data, fit for JSON. */
export interface LoginSettings {
  /** Read the provider's fields first and refuse a missing or unknown one, by name, before anything is sent. Default false. */
  readonly validate?: boolean;
  /** Choose a client through `/client/`. Beyond the contract. Default false: `selectClient` rests. */
  readonly clientSelection?: boolean;
  /** Let `session.replace` close the other session after `max_sessions_reached` and log in again, once. Beyond the contract. Default false. */
  readonly sessionReplacement?: boolean;
  /** The most interactions of one login, which protects the account from a loop. Default 10. */
  readonly interactionLimit?: number;
  /** Milliseconds to answer an interaction or to choose a client. Default: no limit. */
  readonly answerTimeout?: number;
  /** When the whole login is given up, in milliseconds since the epoch. Default: never. */
  readonly deadline?: number;
}
