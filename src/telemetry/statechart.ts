import type { ActorRefFrom, AnyActorRef, InspectionEvent } from "xstate";
import { linkMachine } from "../../machines/link.ts";
import { loginMachine } from "../../machines/login.ts";

/** What `createActor`, `login()`, `resume()`, the adapters and the command line take as `inspect`. */
export type Inspect = (event: InspectionEvent) => void;

/** Any actor that an inspection event is about. */
export type Inspected = InspectionEvent["actorRef"];

// A machine shares its configuration with what `provide()` makes of it, whoever filled the slots.
const runs = (actor: object | undefined, { config }: { config: object }): boolean =>
  actor !== undefined &&
  "logic" in actor &&
  typeof actor.logic === "object" &&
  actor.logic !== null &&
  "config" in actor.logic &&
  actor.logic.config === config;

/** Whether an actor is a login, on its own or within something else. */
export function isLogin(actor: Inspected | undefined): actor is ActorRefFrom<typeof loginMachine> {
  return runs(actor, loginMachine);
}

/** Whether an actor is a link flow. */
export function isLink(actor: Inspected | undefined): actor is ActorRefFrom<typeof linkMachine> {
  return runs(actor, linkMachine);
}

/**
 * Calls back if this event breaks its statechart, which no inspection event tells. To subscribe would take the error away from
 * those whom XState reports it to.
 */
export function afterCrash(actor: Pick<AnyActorRef, "getSnapshot">, tell: () => void): void {
  queueMicrotask(() => {
    if (actor.getSnapshot().status === "error") tell();
  });
}
