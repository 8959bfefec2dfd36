import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { relayTelemetry } from "ventanilla/telemetry/opentelemetry";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { asks, loggedIn, startService } from "../../bank/service.ts";
import { createBrowser, stage as stageHosted } from "../../servers/hosted/stage.ts";
import { ANSWER, form, OTP, stage } from "../../servers/relay/stage.ts";
import { createMeasuring } from "./metrics.ts";
import { recorder } from "./spans.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** A relay that is measured. */
async function measureRelay(...script: Parameters<typeof startService>[0] & readonly unknown[]) {
  const measuring = createMeasuring();
  const { onEvent } = relayTelemetry({ meter: measuring.meter });
  const set = await stage({ onEvent }, { bank: await startService(script as never) });
  // The relay names no bank that the service does not know.
  await set.send("/provider/test/");
  measuring.measured.length = 0;
  return { ...measuring, ...set, onEvent };
}

const provider = { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } };
const first = "request.duration at test in submitCredentials";

describe("a login at a relay is measured by bank, state and outcome:", () => {
  test("with an interaction", async () => {
    const { browser, lines, active } = await measureRelay(provider, asks("otp", "k"), loggedIn("k"));
    const page = browser();
    const asked = await page.login(OTP);
    expect(active()).toEqual({ "test awaitingInteraction": 1 });
    if (asked.status !== "interaction_required" || !asked.key) return expect.fail(asked.status);
    await page.login(ANSWER, { key: asked.key });
    expect(lines()).toEqual([
      `${first}: interaction_required http.response.status_code=200`,
      "logins.active at test in awaitingInteraction +1",
      "request.duration at test in submitAnswer: logged_in http.response.status_code=200",
      "interaction.wait at test in awaitingInteraction: answered",
      "logins.active at test in awaitingInteraction -1",
      "login.duration at test in loggedIn: logged_in",
    ]);
    expect(active()).toEqual({});
  });

  test("refused by the bank, and with a fault", async () => {
    const { send, lines } = await measureRelay(
      provider,
      { http: 403, json: { status: "wrong_credentials" } },
      { http: 502, text: "<html>bad gateway</html>" },
    );
    await send("/login/", form(OTP));
    await send("/login/", form(OTP));
    expect(lines()).toEqual([
      `${first}: wrong_credentials http.response.status_code=403`,
      "login.duration at test in failed: wrong_credentials",
      `${first}: outcome_unknown error.type=outcome_unknown http.response.status_code=409`,
      "login.duration at test in failed: outcome_unknown error.type=outcome_unknown",
    ]);
  });

  test("that is not answered ends as expired an hour later", async () => {
    const { send, lines, active, onEvent } = await measureRelay(provider, asks("otp", "k"));
    await send("/login/", form(OTP));
    vi.useFakeTimers({ toFake: ["performance"], now: Date.now() });
    vi.advanceTimersByTime(10 * 3_600_000);
    onEvent({
      id: "another",
      route: "POST /login/",
      method: "POST",
      httpStatus: 429,
      reason: "rate_limited",
      duration: 1,
    });
    expect(lines().slice(3)).toEqual([
      "logins.active at test in awaitingInteraction -1",
      "interaction.wait at test in awaitingInteraction: expired",
      "login.duration at test in awaitingInteraction: expired",
    ]);
    expect(active()).toEqual({});
  });

  test("whose answer comes to another instance is there a request alone", async () => {
    const { lines, onEvent } = await measureRelay(provider);
    const answer = { id: "a", route: "POST /login/", method: "POST", isAnswer: true, provider: "test" } as const;
    onEvent({ ...answer, httpStatus: 200, status: "logged_in", duration: 5 });
    expect(lines()).toEqual(["request.duration at test in submitAnswer: logged_in http.response.status_code=200"]);
  });
});

test("a text of a bank or a browser is not a label", async () => {
  const novel = { http: 403, json: { status: "Ana Pérez, 099 123 456" } };
  const { send, lines } = await measureRelay(provider, novel, novel);
  await send("/login/", form(OTP));
  await send("/login/", form({ ...OTP, provider: "ana_perez" }));
  await send("/ana-perez");
  expect(lines()).toEqual([
    `${first}: unexpected_status http.response.status_code=200`,
    "login.duration at test in failed: unexpected_status",
    "request.duration at no bank in submitCredentials: unexpected_status http.response.status_code=200",
    "request.duration at no bank in unknown: not_found error.type=not_found http.response.status_code=404",
  ]);
});

test("nor is the state of a bank, in its own words", async () => {
  const state = { json: { ...provider.json, status: "cerrado por duelo" } };
  const { send, lines } = await measureRelay(state, state);
  await send("/provider/test/");
  expect(lines()).toEqual(["request.duration at test in getProvider: success http.response.status_code=200"]);
});

test("a hosted login is measured as well", async () => {
  const { meter, lines, active } = createMeasuring();
  const { hosted } = await stageHosted({ onEvent: relayTelemetry({ meter }).onEvent });
  const { url } = await hosted.create({ user: "ana", provider: "test" });
  const browser = createBrowser();
  await browser.open(url);
  await browser.client().getProvider("test");
  const asked = await browser.logIn("12345otp", "asdfg");
  expect(active()).toEqual({ "test awaitingInteraction": 1 });
  expect(asked.status).toBe("interaction_required");
  await browser.answerAgain({ otp: "8888" });
  expect(lines().filter((line) => /^(login\.duration|interaction)/.test(line))).toEqual([
    "interaction.wait at test in awaitingInteraction: answered",
    "login.duration at test in loggedIn: logged_in",
  ]);
  expect(active()).toEqual({});
});

describe("the span of a request has what HTTP's conventions ask for, and no path", () => {
  /** Sends a request to a server of one route, which answers with this HTTP code. */
  async function respond(status: number, method = "GET") {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    onTestFinished(() => context.disable());
    const { tracer, spans } = recorder();
    const { handle, onResponse } = relayTelemetry({ tracer });
    const handler = handle(async () => {
      onResponse({ route: "GET /sessions/{id}", session: "5f5f" });
      return new Response(null, { status });
    });
    await handler(new Request("https://login.shop.example/sessions/5f5f", { method }));
    return spans()[0];
  }

  const attributes = {
    "http.request.method": "GET",
    "http.route": "/sessions/{id}",
    "url.scheme": "https",
    "ventanilla.session.id": "5f5f",
  };

  test.each([200, 404])("without an error for HTTP %i", async (status) => {
    const span = await respond(status);
    expect(span?.name).toBe("GET /sessions/{id}");
    expect(span?.attributes).toEqual({ ...attributes, "http.response.status_code": status });
    expect(span?.status.code).toBe(0);
  });

  test("with an error for HTTP 503", async () => {
    const span = await respond(503);
    expect(span?.attributes).toEqual({ ...attributes, "http.response.status_code": 503, "error.type": "503" });
    expect(span?.status.code).toBe(2);
  });

  test("with no word of the caller as its method", async () => {
    expect((await respond(405, "BREW"))?.attributes["http.request.method"]).toBe("_OTHER");
  });
});
