import { BankError, type LoginState, secret } from "ventanilla";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { LoginHandlers } from "../../../src/core/login/handlers.ts";
import {
  asks,
  type Line,
  loggedIn,
  loginUnread,
  person,
  promised,
  selectClient,
  startService,
} from "../../bank/service.ts";
import { logIn } from "./started.ts";

const clients = { json: { status: "success", clients: { 0: "First Client" } } };

const key = Buffer.alloc(32, 1).toString("base64");
const own = new TypeError("no code came");
const throwing = () => {
  throw own;
};
const rejecting = () => Promise.reject(own);

async function readFault(outcome: Promise<unknown>): Promise<BankError> {
  const fault = await outcome.catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(BankError);
  return fault as BankError;
}

const question = [asks("otp", "key-1"), loggedIn("key-2")];
const choice = [selectClient("key-1"), clients, loggedIn("key-2")];
const atState = (end: LoginState["state"]) => ({
  onTransition: ({ state }: LoginState) => void (state === end && throwing()),
});
const atEvent = (type: string) => ({ inspect: (event: { type: string }) => void (event.type === type && throwing()) });

describe("a handler that throws", () => {
  test.each<[what: string, field: string, LoginHandlers, script: readonly Line[], sent: number]>([
    ["onInteraction", "onInteraction", { onInteraction: throwing }, question, 1],
    ["onInteraction, by a rejection,", "onInteraction", { onInteraction: rejecting }, question, 1],
    ["onSelectClient", "onSelectClient", { onSelectClient: throwing }, choice, 2],
    ["onSelectClient, by a rejection,", "onSelectClient", { onSelectClient: rejecting }, choice, 2],
    ["onTransition at idle", "onTransition", atState("idle"), question, 0],
    ["onTransition at submitting", "onTransition", atState("submitting"), question, 0],
    ["onTransition at awaitingInteraction", "onTransition", atState("awaitingInteraction"), question, 1],
    ["onTransition at failed", "onTransition", atState("failed"), [{ json: { status: "wrong_credentials" } }], 1],
    ["inspect at the first actor", "inspect", atEvent("@xstate.actor"), question, 0],
    ["inspect at the first event", "inspect", atEvent("@xstate.event"), question, 0],
    ["inspect at the first snapshot", "inspect", atEvent("@xstate.snapshot"), question, 0],
    ["inspect at the first microstep", "inspect", atEvent("@xstate.microstep"), question, 0],
  ])("%s ends the login, sends nothing more, and its error is the cause", async (_, field, handlers, script, sent) => {
    const { service, outcome } = await logIn(script, { onInteraction: () => "8888", ...handlers });
    const error = await readFault(outcome);
    const members = { name: "BankError", code: "handler_failed", field, detail: "threw TypeError" };
    expect({ ...error, name: error.name }).toEqual(members);
    expect(error.message).toBe(`handler_failed: ${field}: threw TypeError`);
    expect(error.cause).toBe(own);
    expect(service.requests).toHaveLength(sent);
  });

  test("a BankError is passed on unchanged", async () => {
    const fault = new BankError("response_unreadable");
    const { outcome } = await logIn([asks("otp", "key-1")], { onInteraction: () => Promise.reject(fault) });
    await expect(outcome).rejects.toBe(fault);
  });

  test("the signal of a handler that throws is aborted", async () => {
    const called = promised<AbortSignal>();
    const onInteraction = async (_: unknown, { signal }: { signal: AbortSignal }) => {
      called.keep(signal);
      throw new BankError("unexpected_fault");
    };
    await (await logIn([asks("otp", "key-1")], { onInteraction })).outcome.catch(() => {});
    expect((await called.promise).aborted).toBe(true);
  });
});

const choosing = (answer: unknown): LoginHandlers => ({ onSelectClient: () => answer as string });
const answering = (answer: unknown): LoginHandlers => ({ onInteraction: () => answer as string });

test.each<[what: string, field: string, LoginHandlers, script: readonly Line[], sent: number]>([
  ["nothing", "onInteraction", answering(undefined), question, 1],
  ["a promise of nothing", "onInteraction", answering(Promise.resolve()), question, 1],
  ["an empty text", "onInteraction", answering(""), question, 1],
  ["an empty secret", "onInteraction", answering(secret("")), question, 1],
  ["no client", "onSelectClient", choosing(undefined), choice, 2],
  ["an empty id", "onSelectClient", choosing(""), choice, 2],
])("a handler that returns %s has failed, and is told to return null", async (_, field, handlers, script, sent) => {
  const { service, outcome } = await logIn(script, { onInteraction: () => "8888", ...handlers });
  const detail = "returned no answer: return null to cancel";
  expect(await readFault(outcome)).toMatchObject({ code: "handler_failed", field, detail });
  expect(service.requests).toHaveLength(sent);
});

// Whoever uses the outcome returns null, which then cancels nothing.
const returnsNull = (used: Promise<unknown>): Promise<null> => used.then(() => null);

test.each<[use: string, status: string, sent: number, onInteraction: NonNullable<LoginHandlers["onInteraction"]>]>([
  ["answers with", "loggedIn", 2, (_, { outcome }) => returnsNull(outcome.answer("8888"))],
  [
    "answers with, at once,",
    "loggedIn",
    2,
    (_, { outcome }) => {
      void outcome.answer("8888");
      return null;
    },
  ],
  ["cancels", "cancelled", 1, (_, { outcome }) => returnsNull(outcome.cancel())],
  [
    "pauses and returns",
    "awaitingInteraction",
    1,
    async (_, { outcome }) => {
      await outcome.pause({ key });
      return outcome;
    },
  ],
  ["pauses and does not return", "cancelled", 1, (_, { outcome }) => returnsNull(outcome.pause({ key }))],
])("a handler that %s its outcome ends the wait of login() too", async (_, state, sent, onInteraction) => {
  // XState warns of an event that is sent to a stopped actor.
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  const { service, outcome } = await logIn(question, { onInteraction });
  expect(await outcome).toMatchObject({ state });
  expect(warn).not.toHaveBeenCalled();
  expect(service.requests).toHaveLength(sent);
});

test.each([1, 2])("what onRequest throws at request %i is the cause that login() rejects with", async (tried) => {
  const service = await startService(question);
  let requests = 0;
  const onRequest = () => {
    requests++;
    if (requests === tried) throwing();
  };
  const error = await readFault(loginUnread(service.client({ onRequest }), person, { onInteraction: () => "8888" }));
  expect(error.field).toBe("onRequest");
  expect(error.cause).toBe(own);
});
