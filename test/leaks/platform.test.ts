import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { secret } from "ventanilla";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../bank/service.ts";
import { findCanaries } from "./canaries.ts";
import { type Canaries, flowCanaries, toForm } from "./flows.ts";

// What the platform itself stores or reports, for anything in the process to read.

/** Listens to a second login and a logout. Resolves with the canaries in what the listener got. */
async function listenTo(
  sessionKeyIn: "query" | "header",
  listen: (canaries: Canaries, url: string, hear: (text: string) => void) => () => void,
) {
  const canaries = flowCanaries();
  const heard: string[] = [];
  const service = await startService([{ json: { status: "logged_in" } }, { json: { status: "logged_out" } }]);
  onTestFinished(listen(canaries, service.url, (text) => heard.push(text)));
  const client = service.client({ apiKey: canaries.apiKey.value, sessionKeyIn });
  const key = secret(canaries.firstKey.value);
  const { fields, ...form } = toForm(canaries);
  await client.login({ ...form, ...fields, otp: canaries.firstAnswer.value }, { key });
  await client.logout(key);
  await expect.poll(() => heard).toHaveLength(2);
  return findCanaries(heard, Object.values(canaries));
}

// The platform holds addresses, and that is where the contract puts the key (docs/security.md).
const shown = [
  ["header", []],
  ["query", ["firstKey at value.0", "firstKey at value.1"]],
] as const;

test.each(shown)("with the key in a %s, the platform's timeline shows %j", async (place, expected) => {
  const found = await listenTo(place, (_, url, hear) => {
    // The timeline itself may be full of what other tests have sent.
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name.startsWith(url)) hear(JSON.stringify(entry));
    });
    observer.observe({ type: "resource" });
    return () => observer.disconnect();
  });
  expect(found).toEqual(expected);
});

test.each(shown)("with the key in a %s, Node tells instrumentations %j", async (place, expected) => {
  const found = await listenTo(place, ({ apiKey }, url, hear) => {
    const listener = (message: unknown) => {
      const { request } = message as { request: { origin: string; path: string; headers: unknown } };
      if (!url.startsWith(new URL(request.origin).origin)) return;
      hear(`${request.origin}${request.path}`);
      // A listener to all of it has the API key (docs/security.md).
      expect(JSON.stringify(request.headers)).toContain(apiKey.value);
    };
    subscribe("undici:request:create", listener);
    return () => void unsubscribe("undici:request:create", listener);
  });
  expect(found).toEqual(expected);
});
