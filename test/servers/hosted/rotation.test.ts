import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createBankClient, reveal } from "ventanilla";
import { createHostedLogin, type HostedLogin } from "ventanilla/hosted";
import { createNodeHandler } from "ventanilla/node";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import { startSandbox } from "../../bank/service.ts";
import { readFailure } from "../../core/pause/paused.ts";
import { API_KEY, listen } from "../relay/stage.ts";
import { createBrowser } from "./stage.ts";

const [OLD, NEW] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];

/** The steps of docs/production.md: what every instance is given, and each one twice while one instance after the other is replaced. */
const steps = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];

/** The same hosted login at one address, started again with other keys. */
async function stageRotation() {
  const bank = await startSandbox({ apiKey: API_KEY });
  const store = createMemoryStore({ rows: new Map() });
  let current: HostedLogin | undefined;
  const origin = await listen(
    createServer((request, response) => current && createNodeHandler(current.handle)(request, response)),
  );
  const start = (sealKey: readonly string[]) =>
    createHostedLogin({
      client: createBankClient({ baseUrl: bank.url, apiKey: API_KEY, retry: false }),
      sealKey,
      store,
      url: `${origin}/login`,
      name: "Shop",
      rateLimit: false,
      onEnd: () => {},
    });
  return {
    bank,
    start,
    serve(hosted: HostedLogin) {
      current = hosted;
      return hosted;
    },
  };
}

/** A session at which the bank has asked a question. */
async function ask(hosted: HostedLogin, user: string) {
  const { id, url } = await hosted.create({ user, provider: "test", username: "12345otp" });
  const browser = createBrowser();
  await browser.open(url);
  expect((await browser.logIn("12345otp", "asdfg")).status).toBe("interaction_required");
  return { id, browser };
}

/** The person answers, and the app takes the key at two instances. */
async function finish({ id, browser }: Awaited<ReturnType<typeof ask>>, instances: readonly HostedLogin[]) {
  await browser.answerAgain({ otp: "8888" });
  const keys = await Promise.all(instances.map((hosted) => hosted.takeKey(id, { idempotencyKey: id })));
  return [...new Set(keys.map((key) => reveal(key)))];
}

test.each([1, 2, 3])("sessions stay open while a seal key is replaced, in both directions: step %i", async (step) => {
  const { bank, start, serve } = await stageRotation();
  const [before, after] = [start(steps[step - 1] ?? []), start(steps[step] ?? [])];
  // The one that is replaced has asked, and the next one gets the answer. The other way, while one of the old ones still runs.
  const forward = await ask(serve(before), "forward");
  const backward = await ask(serve(after), "backward");
  const keys = await finish(forward, [before, after]);
  serve(before);
  keys.push(...(await finish(backward, [after, before])));
  // One of each session, whichever instance hands it over.
  expect(keys.sort()).toEqual([...bank.keys].sort());
});

test("an old seal key that is dropped too early costs the session keys that it has sealed", async () => {
  const { start, serve } = await stageRotation();
  const session = await ask(serve(start([OLD, NEW])), "42");
  await session.browser.answerAgain({ otp: "8888" });
  const take = (keys: readonly string[]) => start(keys).takeKey(session.id, { idempotencyKey: "job" });
  expect(await readFailure(take([NEW]))).toMatchObject({ code: "token_invalid" });
  expect(await take([NEW, OLD])).toBeDefined();
});

test("the open session of a user is found while the seal key is replaced, and not without the old one", async () => {
  const { start } = await stageRotation();
  const open = async (keys: readonly string[]) =>
    (await start(keys).create({ user: "42", provider: "test", whenOpen: "reuse" })).id;
  const first = await open([OLD]);
  expect([await open([OLD, NEW]), await open([NEW, OLD])]).toEqual([first, first]);
  const next = await open([NEW]);
  expect(next).not.toBe(first);
  expect(await open([NEW, OLD])).toBe(next);
});
