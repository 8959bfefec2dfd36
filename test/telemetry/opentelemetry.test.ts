import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, loggedIn, person, type Reply, startSandbox, startService, unasked } from "../bank/service.ts";
import { milliseconds, readAttributes, recorder } from "./spans.ts";

// Milliseconds.
const GRAIN = 5;

describe("a span tells", () => {
  test("the bank, the outcome and the interactions; its events tell what was asked", async () => {
    const service = await startSandbox();
    const { inspect, spans } = recorder();
    const account = { provider: "test", username: "12345otp", password: "asdfg" };
    await login(service.client(), { ...account, onInteraction: () => "8888", inspect });
    const [first, second, whole] = spans();
    expect(readAttributes(whole)).toStrictEqual({
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
    expect(readAttributes(first)).toStrictEqual({ "ventanilla.outcome": "interaction_required" });
    expect(readAttributes(second)).toStrictEqual({ "ventanilla.outcome": "logged_in" });
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
    expect(readAttributes(request)).toStrictEqual(fault);
    expect(readAttributes(whole)).toMatchObject(fault);
    expect(request?.status).toEqual({ code: SpanStatusCode.ERROR, message: "service_unavailable" });
    expect(whole?.status).toEqual(request?.status);
  });

  test("of a session that was replaced how it ended, and nothing of the refusal before", async () => {
    const service = await startSandbox();
    const { inspect, spans } = recorder();
    const account = { provider: "faro_uy", username: "sessions", password: "s3creto" };
    await login(service.client(), { ...account, onInteraction: unasked, sessionReplacement: true, inspect });
    const whole = spans().at(-1);
    expect(readAttributes(whole)).toStrictEqual({
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
