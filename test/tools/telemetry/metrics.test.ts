import { createNoopMeter } from "@opentelemetry/api";
import { createLoginMachine } from "ventanilla";
import { batch } from "ventanilla/batch";
import { metricTelemetry } from "ventanilla/telemetry/opentelemetry";
import { describe, expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import {
  asks,
  type Line,
  type LoginCase,
  loggedIn,
  loginUnread,
  person,
  startService,
  toLogin,
  unasked,
} from "../../bank/service.ts";
import { createMemoryJournal } from "../../core/batch/memory-journal.ts";
import { createMeasuring } from "./metrics.ts";

const provider = { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } };
const refused = { http: 403, json: { status: "wrong_credentials" } };
const sentFirst = "request.duration at test in submitCredentials";

async function measure(script: readonly Line[], options: LoginCase = {}) {
  const service = await startService(script);
  const measuring = createMeasuring();
  const inspect = metricTelemetry({ meter: measuring.meter });
  const done = loginUnread(service.client(), ...toLogin({ onInteraction: unasked, ...options, inspect })).catch(
    () => {},
  );
  return { ...measuring, service, done };
}

describe("a login is measured by bank, state and outcome:", () => {
  test("with an interaction", async () => {
    const { lines, active, measured, done } = await measure([asks("otp", "k"), loggedIn("k")], {
      onInteraction: async () => {
        expect(active()).toEqual({ "test awaitingInteraction": 1 });
        return "8888";
      },
    });
    await done;
    expect(lines()).toEqual([
      "logins.active at test in submitting +1",
      `${sentFirst}: interaction_required http.response.status_code=200`,
      "logins.active at test in submitting -1",
      "logins.active at test in awaitingInteraction +1",
      "logins.active at test in awaitingInteraction -1",
      "interaction.wait at test in awaitingInteraction: answered",
      "logins.active at test in submitting +1",
      "request.duration at test in submitAnswer: logged_in http.response.status_code=200",
      "logins.active at test in submitting -1",
      "login.duration at test in loggedIn: logged_in",
    ]);
    expect(active()).toEqual({});
    expect(measured.every(({ name, value }) => name === "ventanilla.logins.active" || value >= 0)).toBe(true);
  });

  test.each<[string, readonly Line[], object, readonly string[]]>([
    [
      "refused by the bank",
      [refused],
      {},
      [
        `${sentFirst}: wrong_credentials http.response.status_code=403`,
        "login.duration at test in failed: wrong_credentials",
      ],
    ],
    [
      "a fault, whose type is an error's",
      [{ http: 502, text: "<html>bad gateway</html>" }],
      {},
      [
        `${sentFirst}: outcome_unknown error.type=outcome_unknown http.response.status_code=502`,
        "login.duration at test in failed: outcome_unknown error.type=outcome_unknown",
      ],
    ],
    [
      "a question that expires",
      [asks("otp", "k")],
      { settings: { answerTimeout: 1 }, onInteraction: () => new Promise(() => {}) },
      [
        `${sentFirst}: interaction_required http.response.status_code=200`,
        "interaction.wait at test in awaitingInteraction: expired",
        "login.duration at test in failed: expired",
      ],
    ],
    [
      "a handler that throws",
      [asks("otp", "k")],
      {
        onInteraction: () => {
          throw new Error("not today");
        },
      },
      [
        `${sentFirst}: interaction_required http.response.status_code=200`,
        "interaction.wait at test in awaitingInteraction: stopped",
        "login.duration at test in awaitingInteraction: stopped",
      ],
    ],
    [
      "a bank that does not exist, by no code that somebody has typed",
      [{ http: 404, json: { status: "provider_doesnt_exist" } }],
      {},
      [
        "request.duration at no bank in submitCredentials: provider_doesnt_exist http.response.status_code=404",
        "login.duration at no bank in failed: provider_doesnt_exist",
      ],
    ],
  ])("%s", async (_, script, options, expected) => {
    const { lines, active, done } = await measure(script, options);
    await done;
    expect(lines().filter((line) => !line.startsWith("logins.active"))).toEqual(expected);
    expect(active()).toEqual({});
  });

  test("cancelled during a request, which is aborted", async () => {
    const controller = new AbortController();
    const { lines, active, service, done } = await measure(["held"], { signal: controller.signal });
    await service.arrival(1);
    expect(active()).toEqual({ "test submitting": 1 });
    controller.abort();
    await done;
    expect(lines().slice(1).sort()).toEqual([
      "login.duration at test in submitting: cancelled",
      "logins.active at test in submitting -1",
      `${sentFirst}: aborted`,
    ]);
    expect(active()).toEqual({});
  });
});

test("a screen's statechart that is stopped in the middle is not active any more", async () => {
  const service = await startService([provider, asks("otp", "k")]);
  const { meter, active } = createMeasuring();
  const machine = createLoginMachine(service.client());
  const actor = createActor(machine, { input: {}, inspect: metricTelemetry({ meter }) }).start();
  const { createCredentials } = await import("ventanilla");
  actor.send({ type: "credentials.submit", credentials: createCredentials(person) });
  await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
  expect(active()).toEqual({ "test awaitingInteraction": 1 });
  actor.stop();
  expect(active()).toEqual({});
});

test("a batch of users has the labels of one: none names a user, a login or a row", async () => {
  const service = await startService(() => loggedIn(crypto.randomUUID()));
  const { meter, measured, active } = createMeasuring();
  const inspect = metricTelemetry({ meter });
  const rows = Array.from({ length: 30 }, (_, number) => ({
    ...person,
    id: `row ${number}`,
    username: `user ${number}`,
    settings: { validate: false },
    inspect,
  }));
  for await (const { outcome } of batch(service.client(), rows, {
    journal: createMemoryJournal(),
  })) {
    expect(outcome?.state).toBe("loggedIn");
  }
  const series = new Set(measured.map(({ name, attributes }) => JSON.stringify([name, attributes])));
  expect(series.size).toBe(3);
  expect(measured.filter(({ name }) => name === "ventanilla.login.duration")).toHaveLength(30);
  expect(active()).toEqual({});
});

test("an impossible code of a bank is not a label", async () => {
  const { lines, done } = await measure([refused], { provider: "Ana's bank: 42" });
  await done;
  expect(lines().filter((line) => !line.includes(" at no bank in "))).toEqual([]);
});

test("a meter that throws does not break the login", async () => {
  const service = await startService([loggedIn("k")]);
  const errors: unknown[] = [];
  const { meter } = createMeasuring();
  const record = () => {
    throw new Error("exporter is gone");
  };
  const broken = Object.assign(meter, { createHistogram: () => ({ record }) });
  const inspect = metricTelemetry({ meter: broken, onError: (error) => errors.push(error) });
  const outcome = await loginUnread(service.client(), person, { onInteraction: unasked, inspect });
  expect(outcome.state).toBe("loggedIn");
  expect(errors.length).toBeGreaterThan(0);
});

test("these tests leave OpenTelemetry's no-op meter as it is: its readers measure themselves with it", () => {
  createMeasuring();
  expect(Object.keys(createNoopMeter())).toEqual([]);
});
