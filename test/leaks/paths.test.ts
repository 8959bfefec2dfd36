import { expect } from "vitest";
import type { InspectionEvent } from "xstate";
import { type Bank, type SeenRequest, test } from "../bank/bank.ts";
import { runLink } from "../model/link-run.ts";
import { linkPaths } from "../model/link-walk.ts";
import { form, keys, question } from "../model/login-cases.ts";
import { runLogin } from "../model/login-run.ts";
import { loginPaths } from "../model/login-walk.ts";
import { canaryOf } from "./canaries.ts";
import { quickChannels, watch } from "./channels.ts";

const { provider: _, ...secrets } = form;
const typed = Object.entries({ ...secrets, answer: question.answer }).map(([name, value]) => canaryOf(name, value));
const given = Object.entries(keys).map(([name, value]) => canaryOf(`${name} key`, value));

const apiKey = canaryOf("API key", "api-key-canary-of-paths");
const everywhere = ["inspection", "snapshot", "persisted snapshot", "view"] as const;
const nowhere = ["console", "output", "process event"] as const;

test("each step of a path is the last one of a path of its own", () => {
  const known = new Set([...loginPaths, ...linkPaths].map(({ variant, path }) => [variant, ...path].join()));
  const missing = [...loginPaths, ...linkPaths].flatMap(({ variant, path }) =>
    path.map((_, index) => [variant, ...path.slice(0, index + 1)].join()).filter((prefix) => !known.has(prefix)),
  );
  expect(missing).toEqual([]);
});

interface Case {
  readonly name: string;
  readonly length: number;
  readonly run: (bank: Bank, inspect: (event: InspectionEvent) => void, beforeLast: () => void) => Promise<void>;
}

const cases: readonly Case[] = [
  ...loginPaths.map(
    ({ variant, settings, path }): Case => ({
      name: `a login ${variant}, when ${path.join(", then ")}`,
      length: path.length,
      run: (watched, ...hooks) => runLogin(watched, settings, path, ...hooks),
    }),
  ),
  ...linkPaths.map(
    ({ variant, settings, path }): Case => ({
      name: `a link ${variant}, when ${path.join(", then ")}`,
      length: path.length,
      run: (watched, ...hooks) => runLink(watched, settings, path, ...hooks),
    }),
  ),
];

// Nothing but the bank has seen the values of a path. Each step of a path is the last one of a path of its own, so the last steps
// are all there is to look at.
test("no secret gets out of any path, and the bank has seen every canary but the key that ends a login", async ({
  bank,
}) => {
  const watching = watch([...typed, ...given, apiKey], quickChannels);
  const conversation = bank.converse({ apiKey: apiKey.value, ...watching.hooks });
  const requests = conversation.requests as SeenRequest[];
  const watched: Bank = { ...bank, converse: () => conversation };
  const problems: string[] = [];
  const arrived = new Set<string>();
  for (const { name, length, run } of cases) {
    const before = new Map(everywhere.map((source) => [source, watching.sightings(source)]));
    const known = watching.findings().length;
    watching.look(length === 1);
    await run(watched, watching.follow, () => watching.look(true));
    // Rejections and warnings are told a turn later.
    await new Promise((resolve) => setImmediate(resolve));

    const unseen = everywhere.filter((source) => watching.sightings(source) === before.get(source));
    problems.push(
      ...watching
        .findings()
        .slice(known)
        .map((finding) => `${name}: ${finding}`),
    );
    problems.push(...unseen.map((source) => `${name}: nothing seen at ${source}`));
    // The bank knows its conversations by their API keys.
    if (requests.length > 0) arrived.add(apiKey.name);
    const sent = JSON.stringify(requests.splice(0));
    for (const canary of [...typed, ...given]) if (sent.includes(canary.token)) arrived.add(canary.name);
  }
  expect(problems).toEqual([]);
  for (const source of nowhere) expect(watching.sightings(source)).toBe(0);
  const names = [apiKey, ...typed, ...given].map(({ name }) => name);
  expect([...arrived].sort()).toEqual(names.filter((name) => name !== "selected key").sort());
}, 600_000);
