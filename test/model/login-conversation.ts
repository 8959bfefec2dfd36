import { type LoginSettings, loginMachineOf } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { createActor, type InspectionEvent, waitFor } from "xstate";
import type { Bank, OpenRequest } from "./bank.ts";
import { type LoginCaseName, loginCase } from "./login-cases.ts";

/** A real login with a bank that does as it is told. */
export function beginLogin(bank: Bank, input: LoginSettings, inspect?: (event: InspectionEvent) => void) {
  const { client, requests, next } = bank.converse();
  const actor = createActor(loginMachineOf(client), { input, ...(inspect && { inspect }) });
  const heard: object[] = [];
  actor.on("*", (event) => heard.push(event));
  actor.start();
  let open: OpenRequest | undefined;

  /** Brings one thing about and waits until it has told; a request that follows from it has reached the bank by then. */
  const happen = async (name: LoginCaseName): Promise<void> => {
    const { event, slot, wire } = loginCase(name);
    const before = actor.getSnapshot();
    if (wire) open?.end(wire);
    else if (!slot) actor.send(withTimeLeft(event as LoginEvent, input));
    await waitFor(actor, (snapshot) => snapshot !== before, { timeout: 1500 });
    open = actor.getSnapshot().hasTag("busy") ? await next() : undefined;
  };

  return {
    client,
    actor,
    requests,
    /** What was announced so far. */
    heard,
    next,
    async lead(...path: readonly LoginCaseName[]): Promise<void> {
      for (const name of path) await happen(name);
    },
    /** The request under way. */
    underWay(): OpenRequest {
      if (!open) throw new Error("No request is under way.");
      return open;
    },
  };
}

// A login that is taken up has as much time left as one that asks here.
function withTimeLeft(event: LoginEvent, { answerTimeout }: LoginSettings): LoginEvent {
  if (event.type !== "login.resume" || answerTimeout === undefined) return event;
  const { settings, ...paused } = event.paused;
  return {
    ...event,
    paused: { ...paused, settings: { ...settings, answerTimeout }, expiresAt: Date.now() + answerTimeout },
  };
}
