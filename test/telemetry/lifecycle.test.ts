import { login } from "ventanilla";
import { inspectAll, onLifecycle } from "ventanilla/telemetry";
import { describe, expect, test } from "vitest";
import {
  asks,
  type Line,
  loggedIn,
  person,
  selectClient,
  startSandbox,
  startService,
  unasked,
} from "../bank/service.ts";
import { observed } from "./observed.ts";
import { sandboxLogins } from "./sandbox-logins.ts";
import { recorder } from "./spans.ts";

describe("what is told of login() at the sandbox", () => {
  test.each(sandboxLogins)("%s", async (_name, options, expectedEvents, expectedSpans) => {
    const { client, inspect, events, lines } = observed(await startSandbox());
    const spans = recorder();
    const given = { provider: "", username: "", password: "", onInteraction: unasked, ...options };
    await login(client, { ...given, inspect: inspectAll(inspect, spans.inspect) }).catch(() => {});
    expect(lines()).toEqual(expectedEvents);
    expect(spans.tree()).toEqual(expectedSpans);
    expect(spans.open()).toEqual([]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(1);
  });
});

/** What a service says, and what is told of the login's end. */
const faults: readonly (readonly [string, readonly Line[], event: string, spans: readonly string[]])[] = [
  [
    "a socket that breaks",
    ["broken"],
    "login.failed network_failed at test in failed after 0 kind=fault request=POST /login/ interactions=0 replaceable=false",
    ["ventanilla.login: network_failed ERROR", "  ventanilla.submitCredentials: network_failed ERROR"],
  ],
  [
    "an answer against the contract",
    [{ json: { status: "logged_in" } }],
    "login.failed response_against_contract at test in failed after 100 kind=fault interactions=0 replaceable=false",
    ["ventanilla.login: response_against_contract ERROR", "  ventanilla.submitCredentials: logged_in"],
  ],
  [
    "a page instead of an answer",
    [{ http: 502, text: "<html>bad gateway</html>" }],
    "login.failed service_unavailable at test in failed after 100 kind=fault httpStatus=502 request=POST /login/ interactions=0 replaceable=false",
    ["ventanilla.login: service_unavailable ERROR", "  ventanilla.submitCredentials: service_unavailable ERROR"],
  ],
  [
    "a fault at the answer",
    [asks("otp", "k"), "broken"],
    "login.failed network_failed at test in failed after 100 kind=fault request=POST /login/ interactions=1 replaceable=false",
    [
      "ventanilla.login: network_failed ERROR",
      "  ventanilla.submitCredentials: interaction_required",
      "  ventanilla.submitCredentials: network_failed ERROR",
    ],
  ],
  [
    "a fault at the list of clients",
    [selectClient("k"), "broken"],
    "login.failed network_failed at test in failed after 100 kind=fault request=GET /client/ interactions=0 replaceable=false",
    [
      "ventanilla.login: network_failed ERROR",
      "  ventanilla.submitCredentials: select_client",
      "  ventanilla.listClients: network_failed ERROR",
    ],
  ],
];

test.each(faults)("a fault is told with its code: %s", async (_name, script, expectedEvent, expectedSpans) => {
  const { client, inspect, lines } = observed(await startService(script));
  const spans = recorder();
  const options = { ...person, onInteraction: () => "8888", onSelectClient: () => "1" };
  await expect(login(client, { ...options, inspect: inspectAll(inspect, spans.inspect) })).rejects.toThrow();
  expect(spans.tree()).toEqual(expectedSpans);
  expect(spans.open()).toEqual([]);
  expect(lines().at(-1)).toBe(expectedEvent);
  expect(lines().filter((line) => !/^(login\.started|interaction)/.test(line))).toHaveLength(1);
});

test("a cancel while a request is under way tells where the login was left", async () => {
  const service = await startService(["held"]);
  const { client, inspect, lines } = observed(service);
  const spans = recorder();
  const controller = new AbortController();
  const outcome = login(client, {
    ...person,
    onInteraction: unasked,
    signal: controller.signal,
    inspect: inspectAll(inspect, spans.inspect),
  });
  await service.arrival(1);
  expect(spans.open()).toHaveLength(2);
  controller.abort();
  await outcome;
  expect(spans.tree()).toEqual(["ventanilla.login: cancelled", "  ventanilla.submitCredentials: aborted"]);
  expect(spans.spans().map(({ name }) => name)).toEqual(["ventanilla.submitCredentials", "ventanilla.login"]);
  expect(lines()).toEqual([
    "login.started started at test in submitting after 0",
    "login.cancelled cancelled at test in submitting after 0 interactions=0",
  ]);
});

test("durations include the time that the person takes", async () => {
  const { client, inspect, wait, lines } = observed(await startService([asks("otp", "k"), loggedIn("k")]));
  const onInteraction = () => {
    wait(30_000);
    return "8888";
  };
  await login(client, { ...person, onInteraction, inspect });
  expect(lines().at(-1)).toBe("login.finished logged_in at test in loggedIn after 30200 interactions=1");
});

test("an event is plain data with exactly these members", async () => {
  const { client, inspect, events } = observed(await startSandbox());
  const account = { provider: "test", username: "12345otp", password: "asdfg" };
  await login(client, { ...account, onInteraction: () => "8888", answerTimeout: 60_000, inspect });
  const id = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(JSON.parse(JSON.stringify(events))).toStrictEqual([
    { type: "login.started", code: "started", id, provider: "test", step: "submitting", duration: 0 },
    {
      type: "interaction.required",
      code: "interaction_required",
      id,
      provider: "test",
      step: "answering",
      duration: 100,
      field: "otp",
      number: 1,
      answersSent: 0,
      expiresAt: expect.any(Number),
    },
    {
      type: "login.finished",
      code: "logged_in",
      id,
      provider: "test",
      step: "loggedIn",
      duration: 200,
      interactions: 1,
    },
  ]);
});

test("a sentence of the bank's in place of a field's name is not passed on: it could name anything", async () => {
  const service = await startService([asks("Code sent to +598 99 123 456", "k"), loggedIn("k")]);
  const lines: string[] = [];
  const inspect = onLifecycle((event) => void lines.push(JSON.stringify(event)));
  await login(service.client(), { ...person, onInteraction: () => "8888", inspect });
  expect(lines.filter((event) => event.includes('"interaction.required"'))).toEqual([
    expect.stringContaining('"field":""'),
  ]);
  // Ids and times have digits of their own.
  expect(lines.join()).not.toMatch(/Code sent|\+598|99 123/);
});

test("without a clock of its own a login's time is that of the platform, in milliseconds", async () => {
  const service = await startService([
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return loggedIn("k");
    },
  ]);
  const durations: number[] = [];
  const inspect = onLifecycle(({ duration }) => void durations.push(duration));
  await login(service.client(), { ...person, onInteraction: unasked, inspect });
  expect(durations[0]).toBeLessThan(durations[1] ?? 0);
  expect(durations[1]).toBeGreaterThan(45);
});
