import type { BankClient } from "../../../src/core/api/client.ts";
import type { Store } from "../../../src/core/tokens/store.ts";
import type { Environment } from "../../../src/servers/environment.ts";
import type { Told } from "./history.ts";
import type { Owner } from "./schedule.ts";

/** A page in a browser, as the server sees it. */
export interface PageAccess {
  readonly session: string;
  /** The cookie of its browser, at the door with an address. */
  readonly browser: string;
  // At the relay.
  readonly token: string;
  /** Who is signed in. */
  readonly user: string;
  /** `undefined`: an app. */
  readonly origin: string | undefined;
  /** The number of the last submit, as the page has stored it; 0 without one. */
  readonly stored: number;
  /** The number of its submit: the one after the last that the server has told it of. */
  readonly number: number;
}

/** What a page sends to the bank. */
export interface PageSubmit {
  readonly id: string;
  readonly number: number;
  readonly form: Readonly<Record<string, string>>;
  /** The name of the step that it goes on from. */
  readonly question: string | undefined;
  /** The client that it chooses, in place of a form. */
  readonly client?: string;
}

/** The record under test, in one process. The adapter makes it of the real code. */
export interface Instance {
  create(user: string): Promise<{ readonly session: string; readonly token?: string }>;
  open(page: PageAccess): Promise<Told>;
  submit(page: PageAccess, submit: PageSubmit): Promise<Told>;
  /** How the submit of the page's number has ended. */
  readResult(page: PageAccess): Promise<Told>;
  /** Whether the bank's app has approved. */
  isApproved(page: PageAccess, question: string): Promise<boolean>;
  /** Whether the page gets the destinations of a session. */
  readDestinations(page: PageAccess, step: string): Promise<boolean>;
  /** The × of the page. */
  leave(page: PageAccess): Promise<Cancelled>;
  cancel(session: string): Promise<Cancelled>;
  erase(user: string): Promise<{ readonly saysSent: boolean }>;
  takeKey(session: string, recipient: string): Promise<string | undefined>;
  read(session: string): Promise<string>;
  sweep(): Promise<void>;
}

export interface Cancelled {
  readonly isEnded: boolean;
  /** Whether it says that something was sent to the bank; `undefined` if it has no word for that. */
  readonly saysSent: boolean | undefined;
}

/** What the world gives to an instance. */
export interface InstanceParts {
  readonly client: BankClient;
  readonly store: Store;
  readonly environment: Environment;
  /** Whether the app says who sends a request. */
  readonly hasUsers: boolean;
  readonly onEnd: (session: string) => Promise<void>;
  /** The app gets a session key. */
  readonly onKey: (session: string, key: string) => void;
}

/** A change of the store. `text` is `undefined` if it was removed. */
export interface StoreChange {
  readonly verb: "swap" | "delete";
  readonly id: string;
  readonly text: string | undefined;
}

/** How the simulation drives one of the doors. */
export interface Adapter {
  readonly door: "hosted" | "relay";
  createInstance(parts: InstanceParts): Instance;
}

/** A running instance. */
export interface Process {
  readonly owner: Owner;
  readonly instance: Instance;
}
