import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { promised } from "../../bank/service.ts";
import { isLogin, watchedBank } from "../../bank/watched-bank.ts";
import { findFreePort } from "../../free-port.ts";
import { createBrowser } from "../../servers/hosted/stage.ts";
import { ownFolder, run } from "../cli/program.ts";
import { accept, openPipesHere, startHost, startHostHere } from "./host.ts";

/** A bank, and the words and the environment that each process of one store has. */
async function stage(hold: () => Promise<void> | undefined = () => undefined) {
  const bank = await watchedBank(async (request) => void (isLogin(request) && (await hold())));
  const words = ["--store", `folder:${await ownFolder()}/logins`, "--port", String(await findFreePort())];
  const environment = { ...bank.sealingEnvironment };
  return { bank, words, environment };
}

const ANSWER = { provider: "test", username: "12345otp", password: "asdfg", otp: "8888" };

test("after a process is killed between question and answer, the person finishes, and the handle reads", async () => {
  const { bank, words, environment } = await stage();
  const first = await startHost(words, { environment, elicit: accept });
  const { handle } = await first.call("start_bank_login", { bank: "test" });
  const browser = createBrowser();
  await browser.open(first.pages[0]?.url ?? "");
  const asked = await browser.logIn("12345otp", "asdfg");
  if (asked.status !== "interaction_required" || !asked.key) throw new Error(asked.status);
  await first.kill();
  const second = await startHostHere(words, { environment });
  const progress: unknown[] = [];
  const reading = second.client.callTool(
    { name: "read_bank_login", arguments: { handle } },
    {
      onprogress: ({ message }) => void progress.push(message),
    },
  );
  await expect.poll(() => progress).toContain("The bank asks you something. Answer on the page.");
  expect((await browser.client().login(ANSWER, { key: asked.key })).status).toBe("logged_in");
  expect((await reading).structuredContent).toMatchObject({ status: "logged_in", bank: "test" });
  expect((await second.call("list_transfer_destinations", { handle })).from_bank.destinations).toHaveLength(2);
  // The key was taken by the second host, and the third one has it from the store.
  await second.client.close();
  const third = await startHostHere(words, { environment });
  expect((await third.call("list_transfer_destinations", { handle })).from_bank.destinations).toHaveLength(2);
  expect(await third.call("end_bank_session", { handle })).toMatchObject({ status: "ended" });
  expect(bank.sent("otp")).toEqual([undefined, "8888"]);
});

test("a host that goes away while a bank works on a login: the next process has its session", async () => {
  const held = promised();
  const { bank, words, environment } = await stage(() => held.promise);
  const first = await openPipesHere(words, environment);
  const { handle, address } = await first.call("start_bank_login", { bank: "test" });
  const browser = createBrowser();
  await browser.open(address);
  const reached = bank.nextLogin();
  const login = browser.logIn();
  await reached;
  first.stdin.end();
  await expect.poll(first.events).toContain("draining");
  held.keep();
  expect((await login).status).toBe("logged_in");
  expect(await first.ended).toBe(0);
  const { call } = await startHostHere(words, { environment });
  expect(await call("read_bank_login", { handle })).toMatchObject({ status: "logged_in" });
  expect((await call("list_transfer_destinations", { handle })).isError).toBe(false);
  expect(bank.sent("username")).toHaveLength(1);
});

test("a login that was begun is kept when its host goes away", async () => {
  const { words, environment } = await stage();
  const first = await openPipesHere(words, environment);
  const { handle, address } = await first.call("start_bank_login", { bank: "test" });
  first.stdin.end();
  expect(await first.ended).toBe(0);
  const { call } = await startHostHere(words, { environment });
  const browser = createBrowser();
  expect((await browser.open(address)).status).toBe(200);
  await browser.logIn();
  expect(await call("read_bank_login", { handle })).toMatchObject({ status: "logged_in" });
});

test("a login whose handle was not delivered is cancelled when its host disconnects", async () => {
  const { words, environment } = await stage();
  const asked = promised<string>();
  const elicit = ({ url }: { readonly url: string }) => {
    asked.keep(url);
    return promised<{ action: "accept" }>().promise;
  };
  const first = await startHostHere(words, { environment, elicit });
  void first.call("start_bank_login", { bank: "test" }).catch(() => undefined);
  const address = await asked.promise;
  await first.client.close();
  await startHostHere(words, { environment });
  expect((await createBrowser().open(address)).text).toContain("The login was cancelled.");
});

test("a handle is of no use at another address, with another store or another key", async () => {
  const { words, environment } = await stage();
  const first = await startHostHere(words, { environment });
  const { handle } = await first.call("start_bank_login", { bank: "test" });
  expect((await first.call("end_bank_session", { handle })).status).toBe("cancelled");
  await first.client.close();
  const [, store = ""] = words;
  for (const others of [
    ["--store", store, "--port", String(await findFreePort())],
    ["--store", `folder:${await ownFolder()}/logins`, "--port", words[3] ?? ""],
    [],
  ]) {
    const { call, client } = await startHostHere(others, { environment });
    expect(await call("read_bank_login", { handle })).toMatchObject({ error: "session_not_found" });
    await client.close();
  }
});

test("a second process on the same port is refused at its start, and a session key needs its seal key", async () => {
  const { words, environment } = await stage();
  const first = await startHostHere(words, { environment });
  expect(await run(["mcp", ...words], { environment })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Port \d+ is taken\. Give another one with --port\. \[invalid_input\]$/m),
  });
  const { handle, address } = await first.call("start_bank_login", { bank: "test" });
  const browser = createBrowser();
  await browser.open(address);
  await browser.logIn();
  expect((await first.call("list_transfer_destinations", { handle })).isError).toBe(false);
  await first.client.close();
  const { call } = await startHostHere(words, {
    environment: { ...environment, VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64") },
  });
  expect(await call("list_transfer_destinations", { handle })).toMatchObject({ error: "token_invalid" });
});
