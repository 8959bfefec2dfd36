import { type LoginOptions, type LoginOutcome, type LoginState, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, type Line, loggedIn, person, selectClient, startService } from "../bank/service.ts";

// How refusals are read: test/api/refusals.test.ts.
const refusals: [body: object, http: number, status: LoginOutcome["status"]][] = [
  [{ status: "wrong_credentials" }, 403, "wrong_credentials"],
  [{ status: "wrong_credentials" }, 200, "wrong_credentials"],
  [{ status: "error", code: "B1002", type: "t", message: "m", description: ["d"] }, 403, "wrong_answer"],
  [{ status: "error", message: "Key not found" }, 403, "unknown_api_key"],
];

describe("a refusal is the outcome of the login:", () => {
  test.each(refusals)("%j with HTTP %i is %s", async (json, http, status) => {
    const service = await startService([{ http, json }]);
    const outcome = await login(service.client(), person);
    expect(outcome).toStrictEqual({ status, provider: "test", httpStatus: http });
    expect(service.lines()).toEqual(["POST /login/"]);
  });
});

describe("wireStatus of unexpected_status", () => {
  test.each(["under_review", "B2001:x.y-z", "x".repeat(64)])("is %s", async (wireStatus) => {
    const service = await startService([{ json: { status: wireStatus } }]);
    const outcome = await login(service.client(), person);
    expect(outcome).toStrictEqual({ status: "unexpected_status", provider: "test", httpStatus: 200, wireStatus });
  });

  test.each(["", "two words", "x".repeat(65), "<b>no</b>", "line\nbreak"])(
    "is absent for %j, which is no identifier",
    async (status) => {
      const service = await startService([{ json: { status } }]);
      const outcome = await login(service.client(), person);
      expect(outcome).toStrictEqual({ status: "unexpected_status", provider: "test", httpStatus: 200 });
    },
  );

  test("is absent if it would contain a secret that was sent", async () => {
    const service = await startService(({ form }) => ({ json: { status: `bad-${form["password"]}` } }));
    const outcome = await login(service.client(), { ...person, password: "hunter2" });
    expect(outcome).toStrictEqual({ status: "unexpected_status", provider: "test", httpStatus: 200 });
  });
});

const clients = { json: { status: "success", clients: { 0: "First Client" } } };
const chosen = { json: { status: "success" } };
const tooMany = { json: { status: "max_sessions_reached", key: "other" } };
const loggedOut = { json: { status: "logged_out" } };
const provider = { json: { status: "success", provider: { name: "Test", auth_fields: [] } } };

const paths: [what: string, options: Partial<LoginOptions>, script: readonly Line[], states: LoginState[]][] = [
  ["a login with validate", { validate: true }, [provider, loggedIn("key-1")], ["idle", "submitting", "loggedIn"]],
  [
    "a choice of client after an interaction",
    { onInteraction: () => "8888", onSelectClient: () => "0" },
    [asks("otp", "key-1"), selectClient("key-2"), clients, chosen],
    [
      "idle",
      "submitting",
      "awaitingInteraction",
      "submitting",
      "selectClient.listing",
      "selectClient.choosing",
      "selectClient.selecting",
      "loggedIn",
    ],
  ],
  [
    "a session replaced",
    { sessionReplacement: true },
    [tooMany, loggedOut, loggedIn("key-1")],
    ["idle", "submitting", "failed", "replacingSession", "submitting", "loggedIn"],
  ],
];

test.each(paths)("onTransition gets each state of %s", async (_, options, script, states) => {
  const service = await startService(script);
  const reached: LoginState[] = [];
  await login(service.client(), {
    ...person,
    ...options,
    onTransition: (state) => reached.push(state),
  }).catch(() => undefined);
  expect(reached).toEqual(states);
  expect(service.requests).toHaveLength(script.length);
});
