import type { StateValue } from "xstate";
import type { MachineDefinition } from "./definition.ts";

/** What may be told: codes, names, numbers. */
export type Fact = string | number | boolean | readonly string[] | { readonly [name: string]: Fact };
/** @inline */
export type Facts = { readonly [name: string]: Fact };

/** An event by its name, with what may be told of it. */
export type SeenEvent = { readonly type: string } & Facts;

/** How an actor stands, with what may be told of it. */
export interface SeenSnapshot {
  readonly status: string;
  /** Only statecharts have one. */
  readonly value?: StateValue;
  readonly context: Facts;
}

interface Seen {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The actor's id in this inspection. */
  readonly actor: string;
  /** The id of the actor that everything began with. */
  readonly root: string;
}

/** An actor came into being. */
export interface ActorSeen extends Seen {
  readonly type: "actor";
  readonly parent: string | undefined;
  /** `login`, `submitCredentials`. */
  readonly name: string;
  /** Of a statechart. */
  readonly definition: MachineDefinition | undefined;
  readonly snapshot: SeenSnapshot;
}

/** An actor was sent something. */
export interface EventSeen extends Seen {
  readonly type: "event";
  readonly source: string | undefined;
  readonly event: SeenEvent;
}

/** An actor stands somewhere. */
export interface SnapshotSeen extends Seen {
  readonly type: "snapshot";
  readonly event: SeenEvent;
  readonly snapshot: SeenSnapshot;
}

/** One thing that was seen of a run: plain data without a secret, fit for any wire and any file. */
export type Moment = ActorSeen | EventSeen | SnapshotSeen;
