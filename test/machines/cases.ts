import { BankError, type OutcomeCode, secret } from "ventanilla";
import type { EventObject } from "xstate";
import type { Reply } from "../bank/service.ts";

/** One thing that can happen: the event that the statechart gets, and what the bank does to cause it. */
export interface Case<Event, Slot extends string> {
  /** A person's event, or the report of an invocation. */
  readonly event:
    | Event
    | { readonly type: string; readonly output?: unknown; readonly error?: unknown; readonly snapshot?: unknown };
  /** The id of the invocation that reports. */
  readonly slot?: Slot;
  readonly wire?: Reply | undefined;
  /** The key in the response. */
  readonly key?: string;
  readonly isFault?: true;
  /** Whether it can happen there. Default: it can. */
  readonly isPossible?: (snapshot: { readonly context: Readonly<Record<string, unknown>> }) => unknown;
  /** A link passes the event on to the login within. */
  readonly isForwarded?: true;
}

// Each login request can have each response of the bank.
const loginRequests = ["submitCredentials", "submitAnswer", "resume"];

/** The event of a case where these invocations run; `undefined` if none of them reports it. */
export function toEvent(
  { event, slot }: Pick<Case<unknown, string>, "event" | "slot">,
  children: object,
): EventObject | undefined {
  const reported = event as EventObject;
  if (!slot) return reported;
  const slots = slot === "submitCredentials" ? loginRequests : [slot];
  const running = slots.find((each) => each in children);
  return running === undefined ? undefined : { ...reported, type: reported.type.replace(slot, running) };
}

/** A response: what the request reports, and what the bank sends. */
export function replied<Slot extends string>(
  slot: Slot,
  output: object,
  { http = 200, json = output, key }: { readonly http?: number; readonly json?: object; readonly key?: string } = {},
) {
  const isKeyed = key !== undefined;
  return {
    slot,
    event: { type: `xstate.done.actor.${slot}`, output: { ...output, ...(isKeyed && { key: secret(key) }) } },
    wire: { http, json: { ...json, ...(isKeyed && { key }) } },
    ...(isKeyed && { key }),
  };
}

export const refused = <Slot extends string>(
  slot: Slot,
  code: OutcomeCode,
  response: { readonly http?: number; readonly json?: object; readonly key?: string } = {},
) => replied(slot, { status: "refused", failure: { kind: "outcome", code } }, { json: { status: code }, ...response });

export const broken = <Slot extends string>(slot: Slot, error: unknown = new BankError("network_failed")) => ({
  slot,
  isFault: true as const,
  event: { type: `xstate.error.actor.${slot}`, error },
  wire: "broken" as const,
});

/** A wait that ends, without the bank. */
export const reported = <Slot extends string>(slot: Slot, output: unknown) => ({
  slot,
  event: { type: `xstate.done.actor.${slot}`, output },
});

export const elapsed = <Slot extends string>(slot: Slot) => reported(slot, undefined);
