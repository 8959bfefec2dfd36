import { login } from "ventanilla";
import { inspectAll, type LifecycleEvent, onLifecycle } from "ventanilla/telemetry";
import { expect, test } from "vitest";
import { asks, loggedIn, startService, together } from "../bank/service.ts";
import { recorder } from "./spans.ts";

test("a hundred logins at once, under one function, are not mixed up", async () => {
  const everybody = together(100);
  const service = await startService(async ({ form, url }) => {
    await everybody();
    if (!url.includes("?")) return asks(`field_${form["username"]}`, `key_${form["username"]}`);
    return Number(form["username"]) % 2 === 0 ? loggedIn("k") : { http: 403, json: { status: "wrong_credentials" } };
  });
  const events: LifecycleEvent[] = [];
  const { inspect, spans, open } = recorder();
  const both = inspectAll(
    onLifecycle((event) => void events.push(event)),
    inspect,
  );
  const client = service.client();
  const people = Array.from({ length: 100 }, (_, number) => `${number}`);
  await Promise.all(
    people.map((username) =>
      login(client, {
        provider: `bank_${username}`,
        username,
        password: "secret",
        onInteraction: () => "8888",
        inspect: both,
      }),
    ),
  );

  const byId = grouped(events);
  expect(byId.size).toBe(100);
  for (const events of byId.values()) {
    const number = Number(events[0]?.provider.slice("bank_".length));
    const end = number % 2 === 0 ? "login.finished" : "login.failed";
    expect(events.map(({ type }) => type)).toEqual(["login.started", "interaction.required", end]);
    expect(new Set(events.map(({ provider }) => provider))).toEqual(new Set([`bank_${number}`]));
    expect(events[1]).toMatchObject({ field: `field_${number}` });
  }

  expect(open()).toEqual([]);
  expect(spans()).toHaveLength(300);
  const roots = spans().filter(({ name }) => name === "ventanilla.login");
  expect(new Set(roots.map((span) => span.spanContext().traceId)).size).toBe(100);
  for (const root of roots) {
    const number = Number(String(root.attributes["ventanilla.provider"]).slice("bank_".length));
    const { spanId, traceId } = root.spanContext();
    const children = spans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId);
    expect(children.map((span) => [span.spanContext().traceId, span.attributes["ventanilla.outcome"]])).toEqual([
      [traceId, "interaction_required"],
      [traceId, number % 2 === 0 ? "logged_in" : "wrong_credentials"],
    ]);
    expect(root.events[0]?.attributes).toEqual({ "ventanilla.field": `field_${number}`, "ventanilla.interaction": 1 });
  }
});

// Node 20 has no `Map.groupBy`.
function grouped(events: readonly LifecycleEvent[]): Map<string, LifecycleEvent[]> {
  const groups = new Map<string, LifecycleEvent[]>();
  for (const event of events) groups.set(event.id, [...(groups.get(event.id) ?? []), event]);
  return groups;
}
