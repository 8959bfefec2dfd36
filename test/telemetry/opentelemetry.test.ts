import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { type LoginOptions, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import {
  asks,
  type Line,
  loggedIn,
  person,
  type Reply,
  selectClient,
  startSandbox,
  startService,
  unasked,
} from "../bank/service.ts";
import { attributesOf, milliseconds, recorder } from "./spans.ts";

const company = { company_code: "7701" };

const accounts: readonly (readonly [string, Partial<LoginOptions>, readonly string[]])[] = [
  [
    "a plain login",
    { provider: "test", username: "12345", password: "gfdsa" },
    ["ventanilla.login: logged_in", "  ventanilla.submitCredentials: logged_in"],
  ],
  [
    "a login with a one-time code",
    { provider: "test", username: "12345otp", password: "asdfg", onInteraction: () => "8888" },
    [
      "ventanilla.login: logged_in",
      "  ventanilla.submitCredentials: interaction_required",
      "  ventanilla.submitCredentials: logged_in",
    ],
  ],
  [
    "wrong credentials: an outcome, not an error",
    { provider: "test", username: "12345", password: "wrong" },
    ["ventanilla.login: wrong_credentials", "  ventanilla.submitCredentials: wrong_credentials"],
  ],
  [
    "a choice of client",
    { provider: "canal_pa", username: "newkey", password: "s3creto", fields: company, onSelectClient: () => "1" },
    [
      "ventanilla.login: logged_in",
      "  ventanilla.submitCredentials: select_client",
      "  ventanilla.listClients: success",
      "  ventanilla.selectClient: success",
    ],
  ],
  [
    "a client to be chosen elsewhere",
    { provider: "canal_pa", username: "newkey", password: "s3creto", fields: company },
    ["ventanilla.login: select_client", "  ventanilla.submitCredentials: select_client"],
  ],
  [
    "too many sessions",
    { provider: "faro_uy", username: "sessions", password: "s3creto" },
    ["ventanilla.login: max_sessions_reached", "  ventanilla.submitCredentials: max_sessions_reached"],
  ],
  [
    "a session that is replaced: one login",
    { provider: "faro_uy", username: "sessions", password: "s3creto", sessionReplacement: true },
    [
      "ventanilla.login: logged_in",
      "  ventanilla.submitCredentials: max_sessions_reached",
      "  ventanilla.closeSession: logged_out",
      "  ventanilla.submitCredentials: logged_in",
    ],
  ],
  [
    "a question that is left with no answer",
    { provider: "test", username: "12345otp", password: "asdfg", onInteraction: () => undefined },
    ["ventanilla.login: cancelled", "  ventanilla.submitCredentials: interaction_required"],
  ],
  [
    "a question that expires",
    {
      provider: "test",
      username: "12345otp",
      password: "asdfg",
      answerTimeout: 1,
      onInteraction: () => new Promise(() => {}),
    },
    ["ventanilla.login: expired", "  ventanilla.submitCredentials: interaction_required"],
  ],
  [
    "a handler that throws",
    {
      provider: "test",
      username: "12345otp",
      password: "asdfg",
      onInteraction: () => {
        throw new Error("not today");
      },
    },
    ["ventanilla.login: stopped", "  ventanilla.submitCredentials: interaction_required"],
  ],
];

// Milliseconds.
const GRAIN = 5;

describe("a login is one span with a child for each request, all of them ended", () => {
  test.each(accounts)("%s", async (_name, options, expected) => {
    const service = await startSandbox();
    const { inspect, tree, open } = recorder();
    const given = { provider: "", username: "", password: "", onInteraction: unasked, ...options, inspect };
    await login(service.client(), given).catch(() => {});
    expect(tree()).toEqual(expected);
    expect(open()).toEqual([]);
  });

  const faults: readonly (readonly [string, readonly Line[], readonly string[]])[] = [
    [
      "a socket that breaks",
      ["broken"],
      ["ventanilla.login: network_failed ERROR", "  ventanilla.submitCredentials: network_failed ERROR"],
    ],
    [
      "a fault at the answer",
      [asks("otp", "k"), { http: 502, text: "<html>bad gateway</html>" }],
      [
        "ventanilla.login: service_unavailable ERROR",
        "  ventanilla.submitCredentials: interaction_required",
        "  ventanilla.submitCredentials: service_unavailable ERROR",
      ],
    ],
    [
      "a fault at the list of clients",
      [selectClient("k"), "broken"],
      [
        "ventanilla.login: network_failed ERROR",
        "  ventanilla.submitCredentials: select_client",
        "  ventanilla.listClients: network_failed ERROR",
      ],
    ],
    [
      // Each request went well, but they don't make a session.
      "an answer against the contract",
      [{ json: { status: "logged_in" } }],
      ["ventanilla.login: response_against_contract ERROR", "  ventanilla.submitCredentials: logged_in"],
    ],
  ];
  test.each(faults)("what breaks is an error: %s", async (_name, script, expected) => {
    const service = await startService(script);
    const { inspect, tree, open } = recorder();
    const options = { ...person, onInteraction: () => "8888", onSelectClient: () => "1", inspect };
    await expect(login(service.client(), options)).rejects.toThrow();
    expect(tree()).toEqual(expected);
    expect(open()).toEqual([]);
  });

  test("a cancel ends the request's span, and then that of the login", async () => {
    const service = await startService(["held"]);
    const { inspect, tree, open, spans } = recorder();
    const controller = new AbortController();
    const outcome = login(service.client(), { ...person, onInteraction: unasked, signal: controller.signal, inspect });
    await service.arrival(1);
    expect(open()).toHaveLength(2);
    controller.abort();
    await outcome;
    expect(open()).toEqual([]);
    expect(tree()).toEqual(["ventanilla.login: cancelled", "  ventanilla.submitCredentials: aborted"]);
    expect(spans().map(({ name }) => name)).toEqual(["ventanilla.submitCredentials", "ventanilla.login"]);
  });
});

describe("a span tells", () => {
  test("the bank, the outcome and the interactions; its events tell what was asked", async () => {
    const service = await startSandbox();
    const { inspect, spans } = recorder();
    const account = { provider: "test", username: "12345otp", password: "asdfg" };
    await login(service.client(), { ...account, onInteraction: () => "8888", inspect });
    const [first, second, whole] = spans();
    expect(attributesOf(whole)).toStrictEqual({
      "ventanilla.provider": "test",
      "ventanilla.login.start": "started",
      "ventanilla.interactions": 1,
      "ventanilla.outcome": "logged_in",
    });
    expect(whole?.attributes["ventanilla.login.id"]).toMatch(/^[0-9a-f]{16}$/);
    expect(whole?.events.map(({ name, attributes }) => [name, attributes])).toStrictEqual([
      ["interaction.required", { "ventanilla.field": "otp", "ventanilla.interaction": 1 }],
    ]);
    expect(whole?.kind).toBe(SpanKind.INTERNAL);
    expect(attributesOf(first)).toStrictEqual({ "ventanilla.outcome": "interaction_required" });
    expect(attributesOf(second)).toStrictEqual({ "ventanilla.outcome": "logged_in" });
    expect([first?.kind, second?.kind]).toEqual([SpanKind.CLIENT, SpanKind.CLIENT]);
  });

  test("of a fault the code, the request and the HTTP code", async () => {
    const service = await startService([{ http: 502, text: "<html>bad gateway</html>" }]);
    const { inspect, spans } = recorder();
    await login(service.client(), { ...person, onInteraction: unasked, inspect }).catch(() => {});
    const [request, whole] = spans();
    const fault = {
      "ventanilla.outcome": "service_unavailable",
      "http.response.status_code": 502,
      "ventanilla.request": "POST /login/",
      "error.type": "service_unavailable",
    };
    expect(attributesOf(request)).toStrictEqual(fault);
    expect(attributesOf(whole)).toMatchObject(fault);
    expect(request?.status).toEqual({ code: SpanStatusCode.ERROR, message: "service_unavailable" });
    expect(whole?.status).toEqual(request?.status);
  });

  test("of a session that was replaced how it ended, and nothing of the refusal before", async () => {
    const service = await startSandbox();
    const { inspect, spans } = recorder();
    const account = { provider: "faro_uy", username: "sessions", password: "s3creto" };
    await login(service.client(), { ...account, onInteraction: unasked, sessionReplacement: true, inspect });
    const whole = spans().at(-1);
    expect(attributesOf(whole)).toStrictEqual({
      "ventanilla.provider": "faro_uy",
      "ventanilla.login.start": "started",
      "ventanilla.interactions": 0,
      "ventanilla.outcome": "logged_in",
    });
    expect(whole?.events.map(({ name }) => name)).toEqual(["session.replacing"]);
  });

  test("how long its request took, and its login with the person's time", async () => {
    const slow = (line: Reply) => async (): Promise<Reply> => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return line;
    };
    const service = await startService([slow(asks("otp", "k")), slow(loggedIn("k"))]);
    const { inspect, spans } = recorder();
    const onInteraction = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return "8888";
    };
    await login(service.client(), { ...person, onInteraction, inspect });
    const [first, second, whole] = spans();
    if (!first || !second || !whole) throw new Error("spans are missing");
    for (const request of [first, second]) {
      expect(milliseconds(request.duration)).toBeGreaterThan(35);
      // The SDK reads the time of each span from an anchor of its own, so that two differ by their grain.
      expect(milliseconds(request.startTime)).toBeGreaterThan(milliseconds(whole.startTime) - GRAIN);
      expect(milliseconds(request.endTime)).toBeLessThan(milliseconds(whole.endTime) + GRAIN);
    }
    const between = milliseconds(second.startTime) - milliseconds(first.endTime);
    expect(between).toBeGreaterThan(55);
    expect(milliseconds(whole.duration)).toBeGreaterThan(130);
  });
});
