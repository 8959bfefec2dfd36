import { type BankClient, createLoginMachine, type LoginSettings } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { createActor, fromPromise, type InspectionEvent, waitFor } from "xstate";
import type { ApprovalOutput, ApprovalRequest } from "../../machines/login.types.ts";
import type { HoldingBank, OpenRequest } from "../bank/holding-bank.ts";
import { type LoginCase, type LoginCaseName, loginCase } from "./login-cases.ts";

/**
 * A real login with a bank that does as it is told. It does not read the fields first.
 *
 * @param waits `on demand`: the time to answer runs out when a path says so, however long everything else takes. Default: by the clock.
 */
export function beginLogin(
  bank: HoldingBank,
  input: LoginSettings,
  inspect?: (event: InspectionEvent) => void,
  waits: "by the clock" | "on demand" = "by the clock",
) {
  const { client: own, page, requests, next } = bank.converse();
  const client = asRelayed(own, page);
  let runOut = () => {};
  const manual = () => new Promise<void>((resolve) => (runOut = resolve));
  let tell = (_: LoginCase["event"]) => {};
  const awaitApproval = fromPromise<ApprovalOutput, ApprovalRequest>(
    () =>
      new Promise((resolve, reject) => {
        tell = (event) =>
          "error" in event ? reject(event.error) : "output" in event && resolve(event.output as never);
      }),
  );
  const machine = createLoginMachine(client);
  const actor = createActor(
    waits === "on demand" ? machine.provide({ actors: { waitUntil: fromPromise(manual), awaitApproval } }) : machine,
    {
      input: { validate: false, ...input },
      ...(inspect && { inspect }),
    },
  );
  const heard: object[] = [];
  actor.on("*", (event) => heard.push(event));
  actor.start();
  let open: OpenRequest | undefined;

  /** Brings one thing about and waits until it has told; a request that follows from it has reached the bank by then. */
  const happen = async (name: LoginCaseName): Promise<void> => {
    const { event, slot, wire } = loginCase(name);
    const before = actor.getSnapshot();
    const told = heard.length;
    if (wire) open?.end(wire);
    else if (!slot) actor.send(withTimeLeft(event as LoginEvent, input));
    else if (slot.endsWith("Deadline")) runOut();
    else if (slot === "awaitApproval") tell(event);
    // What only emits an event changes no snapshot.
    await waitFor(actor, (snapshot) => snapshot !== before || heard.length > told, { timeout: 30_000 });
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
    openRequest(): OpenRequest {
      if (!open) throw new Error("No request is under way.");
      return open;
    },
  };
}

/** A client that can also ask how an attempt ended. To who has lost the credentials, the bank is a relay that has them. */
function asRelayed(client: BankClient, { readAttempt }: BankClient): BankClient {
  const mark = <Response extends { readonly status: string }>(response: Response) =>
    response.status === "interaction_required" ? { ...response, resumable: true as const } : response;
  return {
    ...client,
    login: async (fields, call) => {
      const response = await client.login(fields, call);
      return fields.username === "in-the-key" ? mark(response) : response;
    },
    ...(readAttempt && { kind: "relay", readAttempt: async (id, call) => mark(await readAttempt(id, call)) }),
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
