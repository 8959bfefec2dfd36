import { createBankClient, createLoginMachine, type LoginSettings } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import { createActor, getNextSnapshot, initialTransition, waitFor } from "xstate";
import type { SubmitCredentialsOutput } from "../../machines/login.types.ts";
import { testFaults } from "./faults.ts";
import { credentials, type LoginCaseName, loginCase } from "./login-cases.ts";

const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });
const machine = createLoginMachine(client);

type Snapshot = ReturnType<typeof machine.transition>;

const happen = (snapshot: Snapshot, event: object): Snapshot => getNextSnapshot(machine, snapshot, event as LoginEvent);
const after = (settings: LoginSettings, ...path: LoginCaseName[]): Snapshot =>
  path.reduce<Snapshot>(
    (snapshot, name) => happen(snapshot, loginCase(name).event),
    initialTransition(machine, settings)[0],
  );
const failureAfter = (event: object) => {
  const { value, context } = happen(after({}, "credentials are submitted"), event);
  expect(value).toBe("failed");
  return context.failure;
};
const thrown = (error: unknown) => failureAfter({ type: "xstate.error.actor.submitCredentials", error });
const replied = (output: SubmitCredentialsOutput) =>
  failureAfter({ type: "xstate.done.actor.submitCredentials", output });

testFaults(thrown);

test("a session without any key names the member that is missing", () => {
  const missing = { kind: "fault", code: "response_against_contract", field: "key" };
  expect(replied({ status: "logged_in" })).toEqual(missing);
  expect(replied({ status: "interaction_required", field: "otp", context: "" })).toEqual(missing);
});

test("a refusal is kept as it is", () => {
  const failure = { kind: "outcome", code: "unexpected_status", httpStatus: 418, wireStatus: "teapot" } as const;
  expect(replied({ status: "refused", failure })).toEqual(failure);
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
