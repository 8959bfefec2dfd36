/** What a page is told. */
export type Told = {
  /** The number of the last submit that the server knows. */
  readonly lastSubmit?: number | undefined;
} & (
  | { readonly kind: "form" }
  | {
      readonly kind: "question";
      /** What an answer names it by. */
      readonly name: string;
      /** The number of the submit after which the bank asks. */
      readonly number: number;
      readonly text: string;
      readonly isConfirmation: boolean;
      /** Milliseconds in which it can be answered. */
      readonly timeLeft: number;
      /** Whether the page answers as soon as the bank's app has approved. */
      readonly isAnsweredAutomatically: boolean;
    }
  /** The bank asks to choose a client. */
  | { readonly kind: "clients"; readonly name: string; readonly number: number }
  /** The page asks for the result of a submit. */
  | { readonly kind: "underWay"; readonly number: number }
  | { readonly kind: "loggedIn" }
  | { readonly kind: "refused" }
  /** The bank may have got the submit. */
  | { readonly kind: "unknown" }
  /** Not yet known: the page asks again. */
  | { readonly kind: "later" }
  /** The submit did not come, and is refused if it does. */
  | { readonly kind: "neverSent" }
  /** The login has ended, or is another browser's. */
  | { readonly kind: "over" }
  /** There is no such login, or nothing to go on from. */
  | { readonly kind: "gone" }
  /** The destinations of a session. */
  | { readonly kind: "destinations" }
  /** Nothing was sent: the store fails, or the question is not the last one. */
  | { readonly kind: "failed" }
  /** Not by the server: the response is lost. */
  | { readonly kind: "lost" }
);

export type EndStatus = "logged_in" | "cancelled" | "expired" | "failed";

/** Something that only the world does: the cause of what follows. */
export type Disturbance =
  | "kill"
  | "pause"
  | "bank lost"
  | "heartbeat late"
  | "answer lost"
  | "answer late"
  | "store fails"
  | "clock";

/** What happened, in its order. Times are milliseconds. */
export type Happening = { readonly at: number } & (
  | { readonly type: "created"; readonly session: string; readonly person: string }
  /** A page sends a submit. `mark`: of this one form. */
  | {
      readonly type: "submitted";
      readonly session: string;
      readonly submit: string;
      readonly mark: string;
      readonly page: string;
      readonly isAutomatic: boolean;
    }
  // What the store has taken.
  | { readonly type: "claimed"; readonly session: string; readonly number: number; readonly submit: string }
  | {
      readonly type: "result";
      readonly session: string;
      readonly number: number;
      readonly kind: "question" | "refused" | "unknown" | "unsent";
    }
  | { readonly type: "ended"; readonly session: string; readonly status: EndStatus; readonly isErasure: boolean }
  | {
      readonly type: "stored";
      readonly row: string;
      readonly session: string | undefined;
      readonly text: string;
      readonly isSealed: boolean;
    }
  | { readonly type: "removed"; readonly row: string }
  // The bank.
  | {
      readonly type: "sent";
      readonly instance: string;
      readonly mark: string;
      readonly person: string;
      readonly isAutomatic: boolean;
      /** How many answers to the same question in succession a page has sent automatically before. */
      readonly automaticBefore: number;
    }
  | {
      readonly type: "told";
      readonly session: string;
      readonly page: string;
      readonly person: string;
      readonly told: Told;
    }
  | {
      readonly type: "confirmed";
      readonly verb: "cancel" | "erase" | "leave";
      readonly session: string;
      /** When its call began. */
      readonly since: number;
      /** Whether it says that something was sent to the bank; `undefined` if it has no word for that. */
      readonly saysSent: boolean | undefined;
    }
  | { readonly type: "keyTaken"; readonly session: string; readonly recipient: string; readonly key: string }
  | { readonly type: "keyRefused"; readonly session: string; readonly recipient: string }
  | { readonly type: "onEnd"; readonly instance: string; readonly session: string; readonly isBegun: boolean }
  /** Only strangers do anything from now on. */
  | { readonly type: "strangersAlone" }
  | { readonly type: "pageEnded"; readonly page: string; readonly isAnswered: boolean; readonly isLate: boolean }
  | {
      readonly type: "disturbed";
      readonly by: Disturbance;
      readonly instance: string;
      /** When it ends. */
      readonly until: number;
    }
);

type WithoutTime<Event> = Event extends unknown ? Omit<Event, "at"> : never;

/** Something that happened, but for its time. */
export type NewHappening = WithoutTime<Happening>;

/** What begins each text that was given in confidence: a password, an answer, a key, what the bank asks. */
export const SECRET = "§secret-";

/** The person who has the address of another one's session. */
export const STRANGER = "stranger";
