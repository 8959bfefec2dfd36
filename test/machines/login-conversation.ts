import {
  type BankClient,
  BankError,
  type CallOptions,
  createLoginMachine,
  type LoginSettings,
  reveal,
  secret,
} from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { createActor, fromPromise, type InspectionEvent, waitFor } from "xstate";
import type { ApprovalOutput, ApprovalRequest } from "../../machines/login.types.ts";
import type { LoginName } from "../../src/core/api/relay-login.ts";
import type { HoldingBank, OpenRequest } from "../bank/holding-bank.ts";
import { type LoginCase, type LoginCaseName, loginCase, unreceived } from "./login-cases.ts";

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
  const client = asRelayed(own, page, () => actor.getSnapshot().context.credentials === undefined);
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
  const applyEvent = async (name: LoginCaseName): Promise<void> => {
    const { event, slot, wire } = loginCase(name);
    const before = actor.getSnapshot();
    const told = heard.length;
    if (wire) {
      open?.end(wire);
      // It would ask again, until its deadline.
      if (wire === "broken") client.giveUp();
    } else if (!slot) actor.send(withTimeLeft(event as LoginEvent, input));
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
      for (const name of path) await applyEvent(name);
    },
    /** The request under way. */
    openRequest(): OpenRequest {
      if (!open) throw new Error("No request is under way.");
      return open;
    },
  };
}

/** A client that a relay's protocol can happen to. To who has no credentials, the bank is a relay that has them. */
function asRelayed(client: BankClient, page: BankClient, isKept: () => boolean) {
  let giveUp = () => {};
  const receive = async <Reply extends { readonly status: string; readonly wire?: { readonly status: string } }>(
    sent: Promise<Reply>,
  ): Promise<Reply> => {
    const reply = await sent;
    if (reply.wire?.status === "unknown_submit") throw unreceived;
    return reply;
  };
  return {
    ...client,
    get kind() {
      return isKept() ? ("relay" as const) : ("service" as const);
    },
    login: (...parameters: Parameters<BankClient["login"]>) => receive(client.login(...parameters)),
    selectClient: (...parameters: Parameters<BankClient["selectClient"]>) =>
      receive(client.selectClient(...parameters)),
    giveUp: () => giveUp(),
    async readLogin(login: LoginName, call: CallOptions = {}) {
      const controller = new AbortController();
      const given = new Promise<never>((_, reject) => {
        giveUp = () => {
          reject(new BankError("network_failed"));
          controller.abort();
        };
      });
      const signals = [controller.signal, ...(call.signal ? [call.signal] : [])];
      const asked = page.readLogin?.(login, { ...call, signal: AbortSignal.any(signals) });
      if (!asked) throw new Error("The page has no relay.");
      asked.catch(() => undefined);
      const reply = await Promise.race([asked, given]);
      // The bank of the tests knows no names of a relay.
      return "key" in reply && reply.key ? { ...reply, key: secret(reveal(reply.key).split(".")[3] ?? "") } : reply;
    },
  };
}

// A login that is taken up has as much time left as one that asks here.
function withTimeLeft(event: LoginEvent, { answerTimeout }: LoginSettings): LoginEvent {
  if (event.type !== "login.resume" || answerTimeout === undefined) return event;
  const settings = { ...event.paused.settings, answerTimeout };
  if ("token" in event.paused) return { ...event, paused: { ...event.paused, settings } };
  return { ...event, paused: { ...event.paused, settings, expiresAt: Date.now() + answerTimeout } };
}
