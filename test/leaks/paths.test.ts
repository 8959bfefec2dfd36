import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InspectionEvent } from "xstate";
import { type Bank, openBank, type SeenRequest } from "../model/bank.ts";
import { runLink } from "../model/link-run.ts";
import { linkPaths, linkVariants } from "../model/link-walk.ts";
import { form, keys, question } from "../model/login-cases.ts";
import { runLogin } from "../model/login-run.ts";
import { loginPaths, loginVariants } from "../model/login-walk.ts";
import { canaryOf } from "./canaries.ts";
import { quickChannels, type Source, watch } from "./channels.ts";

const { provider: _, ...secrets } = form;
const typed = Object.entries({ ...secrets, answer: question.answer }).map(([name, value]) => canaryOf(name, value));
const given = Object.entries(keys).map(([name, value]) => canaryOf(`${name} key`, value));

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

const arrived = new Set<string>();
let number = 0;

/**
 * Runs a path with its values for canaries. Nothing but the bank has seen them. Each step of a path is the last one of a path of
 * its own, so the last steps are all there is to look at.
 */
async function hunt(
  length: number,
  run: (bank: Bank, inspect: (event: InspectionEvent) => void, beforeLast: () => void) => Promise<void>,
): Promise<Source[]> {
  number += 1;
  const apiKey = canaryOf("API key", `api-key-canary-${number}-of-paths`);
  const watching = watch([...typed, ...given, apiKey], quickChannels);
  const seen: (readonly SeenRequest[])[] = [];
  const watched: Bank = {
    ...bank,
    converse: () => {
      const conversation = bank.converse({ apiKey: apiKey.value, ...watching.hooks });
      seen.push(conversation.requests);
      return conversation;
    },
  };
  watching.look(length === 1);
  await run(watched, watching.follow, () => watching.look(true));
  // Rejections and warnings are told a turn later.
  await new Promise((resolve) => setImmediate(resolve));

  expect(watching.findings()).toEqual([]);
  const requests = seen.flat();
  // The bank knows its conversations by their API keys.
  if (requests.length > 0) arrived.add(apiKey.name);
  const sent = JSON.stringify(requests);
  for (const { name, token } of [...typed, ...given]) if (sent.includes(token)) arrived.add(name);
  for (const source of ["console", "output", "process event"] as const) expect(watching.sightings(source)).toBe(0);
  return (["inspection", "snapshot", "persisted snapshot", "view"] as const).filter(
    (source) => watching.sightings(source) > 0,
  );
}

test("each step of a path is the last one of a path of its own", () => {
  const known = new Set([...loginPaths, ...linkPaths].map(({ variant, path }) => [variant, ...path].join()));
  const missing = [...loginPaths, ...linkPaths].flatMap(({ variant, path }) =>
    path.map((_, index) => [variant, ...path.slice(0, index + 1)].join()).filter((prefix) => !known.has(prefix)),
  );
  expect(missing).toEqual([]);
});

const everywhere = ["inspection", "snapshot", "persisted snapshot", "view"];

describe.each(Object.keys(loginVariants))("no secret gets out of a login %s", (variant) => {
  const own = loginPaths.filter((each) => each.variant === variant);
  test.each(own.map((each) => [each.path.join(", then "), each] as const))("when %s", async (_name, each) => {
    const { settings, path } = each;
    expect(await hunt(path.length, (watched, ...hooks) => runLogin(watched, settings, path, ...hooks))).toEqual(
      everywhere,
    );
  });
});

describe.each(Object.keys(linkVariants))("no secret gets out of a link %s", (variant) => {
  const own = linkPaths.filter((each) => each.variant === variant);
  test.each(own.map((each) => [each.path.join(", then "), each] as const))("when %s", async (_name, each) => {
    const { settings, path } = each;
    expect(await hunt(path.length, (watched, ...hooks) => runLink(watched, settings, path, ...hooks))).toEqual(
      everywhere,
    );
  });
});

test("the bank has seen every canary but the key that ends a login", () => {
  const names = ["API key", ...[...typed, ...given].map(({ name }) => name)];
  expect([...arrived].sort()).toEqual(names.filter((name) => name !== "selected key").sort());
});
