import { createRelayClient, login } from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import { inspectAll } from "ventanilla/telemetry";
import { metricTelemetry, relayTelemetry, traceTelemetry } from "ventanilla/telemetry/opentelemetry";
import { expect, test } from "vitest";
import { hideKeys } from "../../../docs/examples/telemetry/hide-keys.ts";
import { asks, loggedIn, loginUnread, person, startService } from "../../bank/service.ts";
import { findCanaries } from "../../leaks/canaries.ts";
import { flowCanaries, sentTo, toForm } from "../../leaks/flows.ts";
import { listen, PAGE, stage } from "../../servers/relay/stage.ts";
import { type ReceivedSpan, startReceiver, toObject } from "./otlp-receiver.ts";

const provider = { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } };
const script = [provider, asks("otp", "k"), loggedIn("k")];

test("a collector gets the spans and the metrics of a login, with their units", async () => {
  const bank = await startService(script);
  const receiver = await startReceiver();
  const inspect = inspectAll(traceTelemetry(), metricTelemetry());
  await login(bank.client(), person, { onInteraction: () => "8888", inspect });
  await receiver.flush();

  expect(receiver.spans.map(({ name }) => name).sort()).toEqual([
    "GET",
    "POST",
    "POST",
    "ventanilla.checkFields",
    "ventanilla.login",
    "ventanilla.submitAnswer",
    "ventanilla.submitCredentials",
  ]);
  expect(receiver.spans.filter(({ parentSpanId }) => !parentSpanId).map(({ name }) => name)).toEqual([
    "ventanilla.login",
  ]);
  const named = Object.fromEntries([...receiver.metrics].map(([name, { unit }]) => [name, unit]));
  expect(named).toMatchObject({
    "ventanilla.login.duration": "s",
    "ventanilla.request.duration": "s",
    "ventanilla.interaction.wait": "s",
    "ventanilla.logins.active": "{login}",
  });
  const [point] = receiver.metrics.get("ventanilla.login.duration")?.histogram?.dataPoints ?? [];
  expect(point).toMatchObject({ count: 1, explicitBounds: expect.arrayContaining([0.5, 60, 300]) });
  expect(toObject(point?.attributes ?? [])).toEqual({
    "ventanilla.provider": "test",
    "ventanilla.state": "loggedIn",
    "ventanilla.outcome": "logged_in",
  });
  const active = receiver.metrics.get("ventanilla.logins.active")?.sum?.dataPoints ?? [];
  expect(active.map(({ asDouble }) => asDouble)).toEqual(active.map(() => 0));
  expect(active.length).toBeGreaterThan(0);
});

test("page, relay and bank are one trace, and the relay's requests have bank, name, login and HTTP code", async () => {
  const bank = await startService(script);
  const receiver = await startReceiver();
  const observation = relayTelemetry();
  const { relay, logins } = await stage({ onEvent: observation.onEvent, allowedHeaders: ["traceparent"] }, { bank });
  const url = await listen(createNodeHandler(observation.handle(relay)));
  const client = createRelayClient({
    baseUrl: url,
    // A browser adds the origin.
    fetch: (input, init) => fetch(input, { ...init, headers: [...new Headers(init?.headers), ["origin", PAGE]] }),
  });
  const outcome = await login(client, person, { onInteraction: () => "8888", inspect: traceTelemetry() });
  await receiver.flush();

  expect(outcome.state).toBe("loggedIn");
  expect(logins).toHaveLength(1);
  expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
  const [{ traceId } = { traceId: "" }] = receiver.spans;
  for (const { headers } of bank.requests) expect(headers["traceparent"]).toContain(traceId);
  const chain = (span: ReceivedSpan | undefined): string[] =>
    span ? [...chain(receiver.spans.find(({ spanId }) => spanId === span.parentSpanId)), span.name] : [];
  const relayed = receiver.spans.filter(({ name }) => name.includes("/"));
  expect(relayed.map((span) => chain(span).join(" > ")).sort()).toEqual([
    "ventanilla.login > ventanilla.checkFields > GET > GET /provider/{code}/",
    "ventanilla.login > ventanilla.submitAnswer > POST > POST /login/",
    "ventanilla.login > ventanilla.submitCredentials > POST > POST /login/",
  ]);
  expect(toObject(relayed.at(-1)?.attributes ?? [])).toEqual({
    "ventanilla.login.id": outcome.id,
    "ventanilla.provider": "test",
    "ventanilla.request": "submitAnswer",
    "ventanilla.outcome": "logged_in",
    "http.request.method": "POST",
    "http.route": "/login/",
    "http.response.status_code": 200,
    "url.scheme": "http",
  });
});

test.each([
  ["no secret reaches a collector, with the key in the address and the hook of the docs", "query", hideKeys, []],
  ["no secret reaches a collector, with the key in a header", "header", {}, []],
  ["without the hook the key in the address does", "query", {}, ["firstKey", "secondKey"]],
] as const)("%s", async (_, sessionKeyIn, undici, expected) => {
  const canaries = flowCanaries();
  const { firstKey, secondKey, firstAnswer } = canaries;
  const destinations = { json: { status: "success", destinations: [] } };
  const bank = await startService([asks("otp", firstKey.value), loggedIn(secondKey.value), destinations]);
  const receiver = await startReceiver(undici);
  const client = bank.client({ apiKey: canaries.apiKey.value, sessionKeyIn });
  const inspect = inspectAll(traceTelemetry(), metricTelemetry());
  const outcome = await loginUnread(client, toForm(canaries), { onInteraction: () => firstAnswer.value, inspect });
  if (outcome.state === "loggedIn") await client.listTransferDestinations(outcome.key);
  await receiver.flush();

  const sent = sentTo(bank);
  for (const name of ["apiKey", "username", "password", "firstAnswer", "firstKey", "secondKey"] as const) {
    expect(sent).toContain(canaries[name].token);
  }
  expect(receiver.bodies.join()).toContain("url.full");
  const found = findCanaries(receiver.bodies, Object.values(canaries)).map((finding) => finding.replace(/ .*/, ""));
  expect([...new Set(found)].sort()).toEqual(expected);
});
