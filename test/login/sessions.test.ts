import { login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, expectedSecret, loggedIn, person, startSandbox, startService, unasked } from "../bank/service.ts";

const tooMany = (key?: string) => ({ http: 403, json: { status: "max_sessions_reached", key } });
const loggedOut = { json: { status: "logged_out" } };
const crowded = { ...person, fields: { company_code: "7701" }, onInteraction: unasked } as const;

describe("too many sessions", () => {
  test.each([{}, { sessionReplacement: false }])(
    "end the login with the key of the other session (%j)",
    async (options) => {
      const service = await startService([tooMany("other")]);
      const outcome = await login(service.client(), { ...crowded, ...options });
      expect(outcome).toEqual({
        status: "max_sessions_reached",
        provider: "test",
        key: expectedSecret("other"),
        httpStatus: 403,
      });
      expect(service.lines()).toEqual(["POST /login/"]);
    },
  );

  test("are replaced where asked for: log out with that key, log in with the same form", async () => {
    const service = await startService([tooMany("other"), loggedOut, loggedIn("key-1")]);
    const outcome = await login(service.client(), { ...crowded, sessionReplacement: true });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-1") });
    expect(service.lines()).toEqual(["POST /login/", "GET /logout/?key=other", "POST /login/"]);
    expect(service.requests[2]?.form).toEqual(service.requests[0]?.form);
    expect(service.requests[2]?.form).toMatchObject({ password: "hunter two", company_code: "7701" });
  });

  test("are replaced once and no more", async () => {
    const service = await startService([tooMany("other"), loggedOut, tooMany("another")]);
    const outcome = await login(service.client(), { ...crowded, sessionReplacement: true });
    expect(outcome).toEqual({
      status: "max_sessions_reached",
      provider: "test",
      key: expectedSecret("another"),
      httpStatus: 403,
    });
    expect(service.lines()).toEqual(["POST /login/", "GET /logout/?key=other", "POST /login/"]);
  });

  test("can't be replaced without a key", async () => {
    const service = await startService([tooMany()]);
    const outcome = await login(service.client(), { ...crowded, sessionReplacement: true });
    expect(outcome).toStrictEqual({ status: "max_sessions_reached", provider: "test", httpStatus: 403 });
    expect(service.requests).toHaveLength(1);
  });

  test("end with what the logout says where it is refused, without a second login", async () => {
    const service = await startService([tooMany("other"), { json: { status: "error", message: "Invalid key" } }]);
    const outcome = await login(service.client(), { ...crowded, sessionReplacement: true });
    expect(outcome).toStrictEqual({ status: "invalid_key", provider: "test", httpStatus: 200 });
    expect(service.requests).toHaveLength(2);
  });

  test("reject where the logout breaks, without a second login", async () => {
    const service = await startService([tooMany("other"), "broken"]);
    await expect(login(service.client(), { ...crowded, sessionReplacement: true })).rejects.toMatchObject({
      name: "NetworkError",
      code: "network_failed",
      request: "GET /logout/",
    });
    expect(service.requests).toHaveLength(2);
  });

  test("met after an interaction: the login starts anew, question included", async () => {
    const service = await startService([
      asks("otp", "key-1"),
      tooMany("other"),
      loggedOut,
      asks("otp", "key-2"),
      loggedIn("key-3"),
    ]);
    const outcome = await login(service.client(), {
      ...crowded,
      onInteraction: () => "8888",
      sessionReplacement: true,
    });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-3") });
    expect(service.lines()).toEqual([
      "POST /login/",
      "POST /login/?key=key-1",
      "GET /logout/?key=other",
      "POST /login/",
      "POST /login/?key=key-2",
    ]);
  });

  test("met after an interaction, without a key: the key of the question is not taken for that of a session", async () => {
    const service = await startService([asks("otp", "key-1"), tooMany()]);
    const outcome = await login(service.client(), {
      ...crowded,
      onInteraction: () => "8888",
      sessionReplacement: true,
    });
    expect(outcome).toStrictEqual({ status: "max_sessions_reached", provider: "test", httpStatus: 403 });
    expect(service.requests).toHaveLength(2);
  });

  test("are closed at the sandbox, too", async () => {
    const sandbox = await startSandbox();
    const account = { provider: "faro_uy", username: "sessions", password: "s3creto", onInteraction: unasked };
    expect(await login(sandbox.client(), account)).toMatchObject({ status: "max_sessions_reached" });
    expect(await login(sandbox.client(), { ...account, sessionReplacement: true })).toMatchObject({
      status: "logged_in",
    });
    expect(sandbox.requests).toHaveLength(4);
  });
});
