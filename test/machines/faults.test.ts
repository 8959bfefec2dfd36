import { BankError, createBankClient, createLoginMachine } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import type { LoginEvent } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { type AnyMachineSnapshot, createActor, getNextSnapshot, waitFor } from "xstate";
import type { LinkCaseName } from "./link-cases.ts";
import { linkModel } from "./link-steps.ts";
import { credentials, type LoginCaseName } from "./login-cases.ts";
import { loginModel } from "./login-steps.ts";
import { snapshotAfter } from "./model.ts";

const happenToLogin = (snapshot: AnyMachineSnapshot, event: object): AnyMachineSnapshot =>
  getNextSnapshot(loginModel.machine, snapshot, event as LoginEvent);
const happenToLink = (snapshot: AnyMachineSnapshot, event: object): AnyMachineSnapshot =>
  getNextSnapshot(linkModel.machine, snapshot, event as LinkEvent);
const after = (...path: LoginCaseName[]) => snapshotAfter(loginModel, {}, path);
const afterLink = (...path: LinkCaseName[]) => snapshotAfter(linkModel, {}, path);

const reply = (slot: string, output: object) => ({ type: `xstate.done.actor.${slot}`, output });
const submitted = (event: object) => happenToLogin(after("credentials are submitted"), event);
const failureOf = (step: (event: object) => AnyMachineSnapshot, event: object) => {
  const { value, context } = step(event);
  expect(value).toBe("failed");
  return context.failure;
};

describe.each<[string, string, (event: object) => AnyMachineSnapshot]>([
  ["login", "submitCredentials", submitted],
  ["link", "listProviders", (event) => happenToLink(afterLink(), event)],
])("from an error that a request throws, a %s", (_, slot, step) => {
  const thrown = (error: unknown) => failureOf(step, { type: `xstate.error.actor.${slot}`, error });

  test("keeps the code and the details of a fault", () => {
    const details = { field: "f", request: "POST /login/", httpStatus: 503, retryAfter: 1000, detail: "ECONNRESET" };
    const expected = { kind: "fault", code: "network_failed", ...details };
    expect(thrown(new BankError("network_failed", details))).toEqual(expected);
  });

  test("keeps the code alone of a fault that went through JSON", () => {
    const error = { code: "request_timed_out", message: "/?key=s3cret", stack: "s3cret", options: {} };
    expect(thrown(error)).toEqual({ kind: "fault", code: "request_timed_out" });
  });

  test.each([new TypeError("s3cret"), { code: 500 }, {}, null, undefined, "s3cret"])(
    "keeps nothing of %o but that it is unexpected",
    (error) => expect(thrown(error)).toEqual({ kind: "fault", code: "unexpected_fault" }),
  );

  test("keeps a refusal as it is", () => {
    const failure = { kind: "outcome", code: "unexpected_status", httpStatus: 418, wireStatus: "teapot" };
    expect(failureOf(step, reply(slot, { status: "refused", failure }))).toEqual(failure);
  });
});

test("after the choice of another bank, no field of the bank before is shown", () => {
  const chosen = afterLink("the banks are listed", "a bank is chosen", "the bank's fields are read");
  expect(chosen.context.detail).toBeDefined();
  const changed = happenToLink(chosen, { type: "provider.change" });
  expect(changed.context.detail).toBeUndefined();
  const other = happenToLink(changed, { type: "provider.choose", provider: "other" });
  expect(other.context).toMatchObject({ provider: "other", detail: undefined });
});

test.each<[string, string, LoginCaseName[]]>([
  ["answer", "interactionDeadline", ["credentials are submitted", "the bank asks a question"]],
  [
    "choose a client",
    "choiceDeadline",
    ["credentials are submitted", "the bank wants a client selected", "the clients are listed"],
  ],
])("where the wait for the time to %s throws, the login fails with a code", (_, slot, path) => {
  const snapshot = snapshotAfter(loginModel, { clientSelection: true }, path);
  const step = (event: object) => happenToLogin(snapshot, event);
  const error = new BankError("network_failed");
  expect(failureOf(step, { type: `xstate.error.actor.${slot}`, error })).toMatchObject({ code: "network_failed" });
});

test("a response that must have a key and has none: the failure names the missing member", () => {
  const missing = { kind: "fault", code: "response_against_contract", field: "key" };
  expect(failureOf(submitted, reply("submitCredentials", { status: "logged_in" }))).toEqual(missing);
  expect(
    failureOf(submitted, reply("submitCredentials", { status: "interaction_required", field: "otp", context: "" })),
  ).toEqual(missing);
});

const submit: LoginCaseName = "credentials are submitted";
const asking: LoginCaseName[] = [submit, "the bank asks a question"];

test("of an unforeseen error, a failure has only the name of its class", async () => {
  const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });
  const broken = { ...client, login: () => Promise.reject(new RangeError("password asdfg")) };
  const actor = createActor(createLoginMachine(broken), { input: { validate: false } }).start();
  actor.send({ type: "credentials.submit", credentials });
  const { context } = await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  expect(context.failure).toEqual({ kind: "fault", code: "unexpected_fault", detail: "threw RangeError" });
});

test.each<[string, LoginCaseName[]]>([
  ["was refused", [submit, "the bank counts too many sessions"]],
  ["expired", [...asking, "the time to answer runs out"]],
  ["was cancelled", [...asking, "the login is cancelled"]],
])("a new attempt keeps nothing of one that %s", (_, path) => {
  const { attempts, ...again } = after(...path, submit).context;
  const { attempts: first, ...fresh } = after(submit).context;
  expect(again).toEqual(fresh);
  // So that a view of the earlier attempt can't act on this one.
  expect(attempts).toBeGreaterThan(first);
});
