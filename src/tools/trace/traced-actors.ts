import { type ActorRefFrom, type AnyActorRef, type AnyStateMachine, type InspectionEvent, StateMachine } from "xstate";
import { linkMachine } from "../../../machines/link.ts";
import { loginMachine } from "../../../machines/login.ts";

/** What `createActor`, `login()`, `resume()`, the adapters and the command line take as `inspect`. */
export type Inspect = (event: InspectionEvent) => void;

/** Any actor that an inspection event is about. */
export type InspectedActor = InspectionEvent["actorRef"];

// A machine and those that `provide()` creates from it share one configuration.
const flows = new Map<unknown, "login" | "link">([
  [loginMachine.config, "login"],
  [linkMachine.config, "link"],
]);

/** The statechart that an actor runs; `undefined` for any other actor. */
export function readMachine(actor: InspectedActor | undefined): AnyStateMachine | undefined {
  const logic = actor && "logic" in actor ? actor.logic : undefined;
  return logic instanceof StateMachine ? logic : undefined;
}

/** Which statechart of ventanilla an actor runs, on its own or within something else. */
export function readFlow(actor: InspectedActor | undefined): "login" | "link" | undefined {
  return flows.get(readMachine(actor)?.config);
}

export function isLogin(actor: InspectedActor | undefined): actor is ActorRefFrom<typeof loginMachine> {
  return readFlow(actor) === "login";
}

export function isLink(actor: InspectedActor | undefined): actor is ActorRefFrom<typeof linkMachine> {
  return readFlow(actor) === "link";
}

/**
 * Reports an actor whose statechart throws in this turn, because there is no inspection event for that. With a subscription XState would not
 * report the error elsewhere.
 */
export function afterCrash(actor: Pick<AnyActorRef, "getSnapshot">, report: () => void): void {
  queueMicrotask(() => {
    if (actor.getSnapshot().status === "error") report();
  });
}
