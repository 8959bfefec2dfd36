import { createBankClient, createLinkMachine, createLoginMachine, type LoginSettings, NetworkError } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import type { LoginEvent } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { createActor, getNextSnapshot, initialTransition, waitFor } from "xstate";
import { type LinkCaseName, linkCase } from "./link-cases.ts";
import { credentials, type LoginCaseName, loginCase } from "./login-cases.ts";

const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });
const loginMachine = createLoginMachine(client);
const linkMachine = createLinkMachine(client);
type Login = ReturnType<typeof loginMachine.transition>;
type Link = ReturnType<typeof linkMachine.transition>;

const happen = (snapshot: Login, event: object): Login => getNextSnapshot(loginMachine, snapshot, event as LoginEvent);
const happenToLink = (snapshot: Link, event: object): Link =>
  getNextSnapshot(linkMachine, snapshot, event as LinkEvent);
const after = (settings: LoginSettings, ...path: LoginCaseName[]): Login =>
  path.reduce<Login>(
    (snapshot, name) => happen(snapshot, loginCase(name).event),
    initialTransition(loginMachine, settings)[0],
  );
const afterLink = (...path: LinkCaseName[]): Link =>
  path.reduce<Link>(
    (snapshot, name) => happenToLink(snapshot, linkCase(name).event),
    initialTransition(linkMachine, {})[0],
  );

const reply = (slot: string, output: object) => ({ type: `xstate.done.actor.${slot}`, output });
const submitted = (event: object) => happen(after({}, "credentials are submitted"), event);
const failureOf = (step: (event: object) => Login | Link, event: object) => {
  const { value, context } = step(event);
  expect(value).toBe("failed");
  return context.failure;
};

describe.each<[string, string, (event: object) => Login | Link]>([
  ["login", "submitCredentials", submitted],
  ["link", "listProviders", (event) => happenToLink(afterLink(), event)],
])("of what its requests throw, a %s", (_, slot, step) => {
  const thrown = (error: unknown) => failureOf(step, { type: `xstate.error.actor.${slot}`, error });

  test("keeps a fault with its code and its details", () => {
    const details = { field: "f", request: "POST /login/", httpStatus: 503, retryAfter: 1000, detail: "ECONNRESET" };
    const expected = { kind: "fault", code: "network_failed", ...details };
    expect(thrown(new NetworkError("network_failed", details))).toEqual(expected);
  });

  test("keeps the code alone of a fault that went through JSON", () => {
    const error = { code: "request_timed_out", message: "/?key=s3cret", stack: "s3cret", options: {} };
    expect(thrown(error)).toEqual({ kind: "fault", code: "request_timed_out" });
  });

  test.each([new TypeError("s3cret"), { code: 500 }, {}, null, undefined, "s3cret"])(
    "keeps no text of %o: it is unexpected",
    (error) => expect(thrown(error)).toEqual({ kind: "fault", code: "unexpected_fault" }),
  );

  test("keeps a refusal as it is", () => {
    const failure = { kind: "outcome", code: "unexpected_status", httpStatus: 418, wireStatus: "teapot" };
    expect(failureOf(step, reply(slot, { status: "refused", failure }))).toEqual(failure);
  });
});

test("the choice of another bank shows no field of the one before", () => {
  const chosen = afterLink("the banks are listed", "a bank is chosen", "the bank's fields are read");
  expect(chosen.context.detail).toBeDefined();
  const changed = happenToLink(chosen, { type: "provider.change" });
  expect(changed.context.detail).toBeUndefined();
  const other = happenToLink(changed, { type: "provider.choose", provider: "other" });
  expect(other.context).toMatchObject({ provider: "other", detail: undefined });
});

test("a session without any key names the member that is missing", () => {
  const missing = { kind: "fault", code: "response_against_contract", field: "key" };
  expect(failureOf(submitted, reply("submitCredentials", { status: "logged_in" }))).toEqual(missing);
  expect(
    failureOf(submitted, reply("submitCredentials", { status: "interaction_required", field: "otp", context: "" })),
  ).toEqual(missing);
});

const submit: LoginCaseName = "credentials are submitted";
const asking: LoginCaseName[] = [submit, "the bank asks a question"];
const listing: LoginCaseName[] = [submit, "the bank wants a client selected"];

test.each<[string, LoginSettings, LoginCaseName[]]>([
  ["too_many_interactions", { interactionLimit: 0 }, asking],
  ["expired", {}, [...asking, "the time to answer runs out"]],
  ["no_clients", { clientSelection: true }, [...listing, "no clients are listed"]],
  ["expired", { clientSelection: true }, [...listing, "the clients are listed", "the time to choose runs out"]],
])("%s with %o is an outcome, not a fault", (code, settings, path) => {
  expect(after(settings, ...path).context.failure).toEqual({ kind: "outcome", code });
});

test("what a client throws unforeseen is told by its name alone", async () => {
  const broken = { ...client, login: () => Promise.reject(new RangeError("password asdfg")) };
  const actor = createActor(createLoginMachine(broken), { input: {} }).start();
  actor.send({ type: "credentials.submit", credentials });
  const { context } = await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  expect(context.failure).toEqual({ kind: "fault", code: "unexpected_fault", detail: "threw RangeError" });
});

test.each<[string, LoginCaseName[]]>([
  ["was refused", [submit, "the bank counts too many sessions"]],
  ["expired", [...asking, "the time to answer runs out"]],
  ["was cancelled", [...asking, "the login is cancelled"]],
])("a new attempt knows nothing of the one that %s", (_, path) => {
  const { stepNumber, ...again } = after({}, ...path, submit).context;
  const { stepNumber: first, ...fresh } = after({}, submit).context;
  expect(again).toEqual(fresh);
  // Of all attempts, so that a view of the earlier one can't act on this one.
  expect(stepNumber).toBeGreaterThan(first);
});
