import { type LoginOutcome, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { person, startService } from "../bank/service.ts";

type Status = LoginOutcome["status"];

// Which words are which status: test/api/refusals.test.ts.
const said: [body: object, http: number, status: Status][] = [
  [{ status: "wrong_credentials" }, 403, "wrong_credentials"],
  [{ status: "wrong_credentials" }, 200, "wrong_credentials"],
  [{ status: "error", code: "B1002", type: "t", message: "m", description: ["d"] }, 403, "wrong_answer"],
  [{ status: "error", message: "Key not found" }, 403, "unknown_api_key"],
];

describe("what the bank says is the outcome", () => {
  test.each(said)("%j with HTTP %i is %s", async (json, http, status) => {
    const service = await startService([{ http, json }]);
    const outcome = await login(service.client(), person);
    expect(outcome).toStrictEqual({ status, provider: "test", httpStatus: http });
    expect(service.lines()).toEqual(["POST /login/"]);
  });
});

describe("a status nobody has heard of", () => {
  test.each(["under_review", "B2001:x.y-z", "x".repeat(64)])(
    "is told as %s, which reads like one",
    async (wireStatus) => {
      const service = await startService([{ json: { status: wireStatus } }]);
      const outcome = await login(service.client(), person);
      expect(outcome).toStrictEqual({ status: "unexpected_status", provider: "test", httpStatus: 200, wireStatus });
    },
  );

  test.each(["", "two words", "x".repeat(65), "<b>no</b>", "line\nbreak"])(
    "is kept to itself as %j, which does not",
    async (status) => {
      const service = await startService([{ json: { status } }]);
      const outcome = await login(service.client(), person);
      expect(outcome).toStrictEqual({ status: "unexpected_status", provider: "test", httpStatus: 200 });
    },
  );

  test("is told without a secret that was sent", async () => {
    const service = await startService(({ form }) => ({ json: { status: `bad-${form["password"]}` } }));
    const outcome = await login(service.client(), { ...person, password: "hunter2" });
    expect(outcome).toStrictEqual({ status: "unexpected_status", provider: "test", httpStatus: 200 });
  });

  test("is no reason to tell the status of another refusal", async () => {
    const service = await startService([{ http: 403, json: { status: "user_blocked", message: "locked" } }]);
    expect(await login(service.client(), person)).not.toHaveProperty("wireStatus");
  });
});
