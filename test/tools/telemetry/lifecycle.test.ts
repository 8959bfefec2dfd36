import { lifecycleTelemetry } from "ventanilla/telemetry";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  asks,
  type Line,
  loggedIn,
  loginUnread,
  person,
  startSandbox,
  startService,
  together,
  toLogin,
  unasked,
} from "../../bank/service.ts";
import { observed } from "./observed.ts";
import { sandboxLogins } from "./sandbox-logins.ts";

const answering = { onInteraction: () => "8888" };

test.each(sandboxLogins)("at the sandbox: %s", async (_name, options, expectedEvents, expectedSpans) => {
  const { client, inspect, events, lines, tree, open } = observed(await startSandbox());
  await loginUnread(client, ...toLogin({ onInteraction: unasked, ...options, inspect })).catch(() => {});
  expect(lines()).toEqual(expectedEvents);
  expect(tree()).toEqual(expectedSpans);
  expect(open()).toEqual([]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(1);
});

/** What a service responds, and the last event and the spans of the login. */
const faults: [string, readonly Line[], event: string, ...spans: string[]][] = [
  [
    "too many requests",
    [{ http: 429, text: "", headers: { "retry-after": "9" } }],
    "login.failed rate_limited at test in failed after 100 kind=fault httpStatus=429 request=POST /login/ interactions=0 replaceable=false",
    "ventanilla.login: rate_limited ERROR",
    "  ventanilla.submitCredentials: rate_limited ERROR",
  ],
  [
    "a response against the contract",
    [{ json: { status: "logged_in" } }],
    "login.failed response_against_contract at test in failed after 100 kind=fault interactions=0 replaceable=false",
    "ventanilla.login: response_against_contract ERROR",
    "  ventanilla.submitCredentials: logged_in",
  ],
  [
    "a page in place of a response, after an interaction",
    [asks("otp", "k"), { http: 502, text: "<html>bad gateway</html>" }],
    "login.failed outcome_unknown at test in failed after 200 kind=fault httpStatus=502 request=POST /login/ interactions=1 replaceable=false",
    "ventanilla.login: outcome_unknown ERROR",
    "  ventanilla.submitCredentials: interaction_required",
    "  ventanilla.submitAnswer: outcome_unknown ERROR",
  ],
];

test.each<(typeof faults)[number]>(faults)(
  "a fault is reported by its code: %s",
  async (_name, script, expectedEvent, ...expectedSpans) => {
    const { client, inspect, lines, tree, open } = observed(await startService(script));
    await expect(loginUnread(client, person, { ...answering, onSelectClient: () => "1", inspect })).rejects.toThrow();
    expect(tree()).toEqual(expectedSpans);
    expect(open()).toEqual([]);
    expect(lines().filter((line) => !/^(login\.started|interaction)/.test(line))).toEqual([expectedEvent]);
  },
);

test("a cancel during a request reports the state that was left", async () => {
  const service = await startService(["held"]);
  const { client, inspect, lines, tree, open, spans } = observed(service);
  const controller = new AbortController();
  const outcome = loginUnread(client, person, { onInteraction: unasked, signal: controller.signal, inspect });
  await service.arrival(1);
  expect(open()).toHaveLength(2);
  controller.abort();
  await outcome;
  expect(tree()).toEqual(["ventanilla.login: cancelled", "  ventanilla.submitCredentials: aborted"]);
  expect(spans().map(({ name }) => name)).toEqual(["ventanilla.submitCredentials", "ventanilla.login"]);
  expect(lines()).toEqual([
    "login.started started at test in submitting after 0",
    "login.cancelled cancelled at test in submitting after 0 interactions=0",
  ]);
});

test("an event is plain data with exactly these members; a duration includes the person's time", async () => {
  const { client, inspect, events, wait } = observed(await startSandbox());
  const form = { provider: "canal_pa", username: "token", password: "s3creto", fields: { company_code: "7701" } };
  const onInteraction = () => {
    wait(30_000);
    return "864209";
  };
  await loginUnread(client, form, {
    settings: { answerTimeout: 60_000 },
    onInteraction,
    onSelectClient: () => "1",
    inspect,
  });
  const common = { id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/), provider: "canal_pa" };
  const expiresAt = expect.any(Number);
  const asked = {
    code: "interaction_required",
    state: "awaitingInteraction",
    field: "token",
    fields: ["token"],
    number: 1,
    answersSent: 0,
  };
  const answered = { code: "answered", state: "submitting", number: 1, wait: 30_000 };
  const chosen = { code: "chosen", state: "submitting", wait: 0 };
  const choice = { code: "select_client", state: "selectClient", clients: 2 };
  expect(JSON.parse(JSON.stringify(events))).toStrictEqual([
    { type: "login.started", code: "started", ...common, state: "submitting", duration: 0 },
    { type: "interaction.required", ...common, ...asked, duration: 100, expiresAt },
    { type: "interaction.answered", ...common, ...answered, duration: 30_100 },
    { type: "client.required", ...common, ...choice, duration: 30_300, expiresAt },
    { type: "client.chosen", ...common, ...chosen, duration: 30_300 },
    { type: "login.finished", code: "logged_in", ...common, state: "loggedIn", duration: 30_400, interactions: 1 },
  ]);
});

test("a sentence in place of the name of a field is left out: it could hold anything", async () => {
  const service = await startService([asks("Code sent to +598 99 123 456", "k"), loggedIn("k")]);
  const { client, inspect, events, spans } = observed(service);
  await loginUnread(client, person, { ...answering, inspect });
  expect(events[1]).toMatchObject({ type: "interaction.required", field: "" });
  const shown = [events, spans().map(({ attributes, events }) => [attributes, events])];
  // Ids and times have digits of their own.
  expect(JSON.stringify(shown)).not.toMatch(/Code sent|\+598|99 123/);
});

test("without `now` a duration is that of the platform's clock, in milliseconds", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(1000);
  onTestFinished(() => clock.mockRestore());
  const service = await startService([() => clock.mockReturnValue(1050) && loggedIn("k")]);
  const durations: number[] = [];
  const inspect = lifecycleTelemetry(({ duration }) => void durations.push(duration));
  await loginUnread(service.client(), person, { onInteraction: unasked, inspect });
  expect(durations).toEqual([0, 50]);
});

test("a hundred logins at once, under one function, are not mixed up", async () => {
  const everybody = together(100);
  const service = await startService(async ({ form, url }) => {
    await everybody();
    if (!url.includes("?")) return asks(`field_${form["username"]}`, `key_${form["username"]}`);
    return Number(form["username"]) % 2 === 0 ? loggedIn("k") : { http: 403, json: { status: "wrong_credentials" } };
  });
  const { client, inspect, events, open, tree, spans } = observed(service);
  const people = Array.from({ length: 100 }, (_, number) => `${number}`);
  await Promise.all(
    people.map((username) =>
      loginUnread(client, { ...person, provider: `bank_${username}`, username }, { ...answering, inspect }),
    ),
  );

  expect(new Set(events.map(({ id }) => id)).size).toBe(100);
  expect(open()).toEqual([]);
  expect(spans()).toHaveLength(300);
  for (const username of people) {
    const [code, end] =
      Number(username) % 2 === 0 ? ["logged_in", "login.finished"] : ["wrong_credentials", "login.failed"];
    const own = events.filter(({ provider }) => provider === `bank_${username}`);
    const types = ["login.started", "interaction.required", "interaction.answered", end];
    expect(own.map(({ type }) => type)).toEqual(types);
    expect(own[1]).toMatchObject({ id: own[0]?.id, field: `field_${username}` });
    const root = spans().find(
      ({ name, attributes }) => name === "ventanilla.login" && attributes["ventanilla.provider"] === `bank_${username}`,
    );
    expect(root?.events[0]?.attributes).toMatchObject({ "ventanilla.field": `field_${username}` });
    const { traceId } = root?.spanContext() ?? {};
    expect(tree(spans().filter((span) => span.spanContext().traceId === traceId))).toEqual([
      `ventanilla.login: ${code}`,
      "  ventanilla.submitCredentials: interaction_required",
      `  ventanilla.submitAnswer: ${code}`,
    ]);
  }
});
