import { type LoginOutcome, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { person, startService } from "../bank/service.ts";

type Status = LoginOutcome["status"];

// How refusals are read: test/api/refusals.test.ts.
const refusals: [body: object, http: number, status: Status][] = [
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

  test("is absent from other refusals", async () => {
    const service = await startService([{ http: 403, json: { status: "user_blocked", message: "locked" } }]);
    expect(await login(service.client(), person)).not.toHaveProperty("wireStatus");
  });
});
