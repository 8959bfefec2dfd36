import { expect } from "vitest";
import { type Bank, type SeenRequest, test } from "../bank/bank.ts";
import { everyPath } from "../machines/every-path.ts";
import { form, keys, question } from "../machines/login-cases.ts";
import { createCanary } from "./canaries.ts";
import { isQuick, silent, watch } from "./channels.ts";

const { provider: _, ...secrets } = form;
const typed = Object.entries({ ...secrets, answer: question.answer }).map(([name, value]) => createCanary(name, value));
const given = Object.entries(keys).map(([name, value]) => createCanary(`${name} key`, value));

const apiKey = createCanary("API key", "api-key-canary-of-paths");
const everywhere = ["inspection", "snapshot", "persisted snapshot", "view"] as const;

// Nothing but the bank has seen the values of a path. A step that several paths begin with is looked at once.
test("no secret gets out of any path, and the bank has seen every canary but the key that ends a login", async ({
  bank,
}) => {
  const watching = watch([...typed, ...given, apiKey], isQuick);
  const conversation = bank.converse({ apiKey: apiKey.value, ...watching.hooks });
  const requests = conversation.requests as SeenRequest[];
  const watched: Bank = { ...bank, converse: () => conversation };
  const problems: string[] = [];
  const arrived = new Set<string>();
  const looked = new Set<string>();
  for (const { name, steps, run } of everyPath) {
    const before = new Map(everywhere.map((source) => [source, watching.sightings(source)]));
    const known = watching.findings().length;
    const lookAt = (beginning: string) => {
      watching.look(!looked.has(beginning));
      looked.add(beginning);
    };
    lookAt(steps.slice(0, 1).join());
    await run(watched, watching.follow, (index) => lookAt(steps.slice(0, index + 2).join()));
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
  for (const source of silent) expect(watching.sightings(source)).toBe(0);
  const names = [apiKey, ...typed, ...given].map(({ name }) => name);
  expect([...arrived].sort()).toEqual(names.filter((name) => name !== "selected key").sort());
}, 600_000);
