import { login, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { API_KEY, expectedSecret, loggedIn, person, startService } from "../bank/service.ts";

describe("login without an interaction", () => {
  test("sends one request with the exact form", async () => {
    const service = await startService([loggedIn("key-1")]);
    const outcome = await login(service.client(), {
      ...person,
      fields: { company_code: "77/01", type: "cédula" },
    });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-1") });
    expect(service.lines()).toEqual(["POST /login/"]);
    expect(service.requests[0]?.headers).toMatchObject({
      "x-api-key": API_KEY,
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(service.requests[0]?.form).toEqual({
      provider: "test",
      username: "ana",
      password: "hunter two",
      company_code: "77/01",
      type: "cédula",
    });
  });

  test("accepts secrets", async () => {
    const service = await startService([loggedIn("key-1")]);
    await login(service.client(), {
      provider: "test",
      username: secret("ana"),
      password: secret(" p&ss=wörd\n"),
      fields: { type: secret("pers") },
    });
    expect(service.requests[0]?.form).toEqual({
      provider: "test",
      username: "ana",
      password: " p&ss=wörd\n",
      type: "pers",
    });
  });
});
