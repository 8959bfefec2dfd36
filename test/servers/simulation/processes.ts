import type { BankClient } from "../../../src/core/api/client.ts";
import type { Store } from "../../../src/core/tokens/store.ts";
import type { Environment } from "../../../src/servers/environment.ts";
import type { NewHappening, Told } from "./history.ts";
import type { Owner } from "./schedule.ts";

/** A page in a browser, as the server sees it. */
export interface PageAccess {
  readonly session: string;
  /** Of its browser. */
  readonly cookie: string;
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
  create(user: string): Promise<{ readonly session: string }>;
  open(page: PageAccess): Promise<Told>;
  submit(page: PageAccess, submit: PageSubmit): Promise<Told>;
  /** How the submit of the page's number has ended. */
  readResult(page: PageAccess): Promise<Told>;
  /** Whether the bank's app has approved. */
  isApproved(page: PageAccess, question: string): Promise<boolean>;
  /** The × of the page. @returns whether the session has ended by it. */
  leave(page: PageAccess): Promise<boolean>;
  cancel(session: string): Promise<{ readonly isCancelled: boolean; readonly saysSent: boolean }>;
  erase(user: string): Promise<{ readonly saysSent: boolean }>;
  takeKey(session: string, taker: string): Promise<string | undefined>;
  read(session: string): Promise<string>;
  sweep(): Promise<void>;
}

/** What the world gives to an instance. */
export interface InstanceParts {
  readonly client: BankClient;
  readonly store: Store;
  readonly environment: Environment;
  readonly onEnd: (session: string) => Promise<void>;
}

/** A change of the store. `text` is `undefined` if it was removed. */
export interface StoreChange {
  readonly verb: "swap" | "delete";
  readonly id: string;
  readonly text: string | undefined;
}

/** How the simulation reads and drives one kind of record. */
export interface Adapter {
  createInstance(parts: InstanceParts): Instance;
  /** What a change of the store means. */
  readChange(change: StoreChange): readonly NewHappening[];
  /** What the answer to the question after a submit names it by. */
  toQuestionName(number: number): string;
  isHeartbeat(id: string): boolean;
  /** Whether a fault at this row is worth more than elsewhere. */
  isCritical(id: string): boolean;
}

/** A running instance. */
export interface Process {
  readonly owner: Owner;
  readonly instance: Instance;
}
