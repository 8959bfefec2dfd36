import type { AnyActorRef } from "xstate";
import type { RequestBegun, RequestObserver } from "../../../core/login/invoked-requests.ts";
import { type Inspect, type InspectedActor, isLogin, readFlow } from "../../trace/traced-actors.ts";
import { readStored } from "../stored-login.ts";
import { type Outcome, readOutcome } from "./span-outcome.ts";

/** A request of a login or a link. */
export interface BegunRequest {
  readonly actor: InspectedActor;
  /** The login or the link that sends it. */
  readonly parent: InspectedActor;
  /** The name of its actor: `submitCredentials`. */
  readonly request: string;
}

/** Gets what happens to one request. */
export interface RequestListener extends Partial<RequestObserver> {
  /** @param outcome `undefined`: it was aborted. */
  end(outcome: Outcome | undefined): void;
}

/** The slots that wait, and send nothing to the bank. */
const waits = ["waitUntil", "awaitApproval"];

/** Finds the requests of logins and links in the inspection events of an actor system. */
export function watchRequests(begin: (request: BegunRequest) => RequestListener | undefined): Inspect {
  const running = new WeakMap<InspectedActor, RequestListener>();
  const end = (actor: InspectedActor, outcome?: Outcome) => {
    running.get(actor)?.end(outcome);
    running.delete(actor);
  };
  return (inspected) => {
    const actor = inspected.actorRef;
    if (inspected.type === "@xstate.snapshot" && inspected.snapshot.status === "stopped") return end(actor);
    if (inspected.type !== "@xstate.event") return;
    const { sourceRef: parent, event } = inspected;
    if (parent && /^xstate\.(done|error)\.actor\./.test(event.type)) return end(parent, readOutcome(event));
    if (event.type !== "xstate.init" || !parent || !(readFlow(parent) || readStored(parent).storedLogin)) return;
    if (!("id" in actor && "src" in actor) || waits.includes(`${actor.src}`) || isLogin(actor)) return;
    const listener = begin({ actor, parent, request: String(actor.id) });
    if (!listener) return;
    running.set(actor, listener);
    (actor as AnyActorRef).on("request.begun", (begun) => (begun as RequestBegun).observe(listener));
  };
}
