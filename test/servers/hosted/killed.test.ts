import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createBankClient } from "ventanilla";
import { createHostedLogin } from "ventanilla/hosted";
import { createSandbox } from "ventanilla/sandbox";
import { createFolderStore } from "ventanilla/tokens";
import { expect, onTestFinished, test } from "vitest";
import { promised, respondAs, startService } from "../../bank/service.ts";
import { clock } from "../../clock.ts";
import { API_KEY, listen, SEAL_KEY } from "../relay/stage.ts";
import { createBrowser, RECIPIENT } from "./stage.ts";

const program = fileURLToPath(new URL("instance.mjs", import.meta.url));

/** Two processes behind a load balancer, which sends everything to the first one until that is killed. */
async function stageProcesses() {
  const sandbox = createSandbox({ apiKey: API_KEY });
  let hold: Promise<void> | undefined;
  const bank = await startService(
    respondAs(async (request) => {
      await hold;
      return sandbox(request);
    }),
  );
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-killed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const ports: number[] = [];
  const origin = await listen(
    createServer((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const passed = httpRequest({ port: ports[0], host: "127.0.0.1", method, path: url, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      });
      passed.on("error", () => outgoing.destroy());
      incoming.pipe(passed);
    }),
  );
  const url = `${origin}/login`;
  const ends: string[] = [];
  const start = async (): Promise<ChildProcess> => {
    const env = { ...clock, BASE_URL: bank.url, API_KEY, SEAL_KEY, FOLDER: folder, URL: url };
    const child = fork(program, { env, execArgv: [] });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.on("message", ({ status }: { status?: string }) => status !== undefined && ends.push(status));
    const [{ port }] = await once(child, "message");
    ports.push(port);
    return child;
  };
  const first = await start();
  await start();
  // The app: it makes sessions, and serves none.
  const app = createHostedLogin({
    client: createBankClient({ baseUrl: bank.url, apiKey: API_KEY }),
    sealKey: SEAL_KEY,
    store: createFolderStore(folder),
    url,
    name: "Shop",
    onEnd: () => {},
  });
  return {
    bank,
    app,
    ends,
    holdBank(until: Promise<void>) {
      hold = until;
    },
    async kill() {
      first.kill("SIGKILL");
      await once(first, "exit");
      ports.shift();
    },
    posts: () => bank.paths().filter((line) => line.startsWith("POST")),
  };
}

test("a process that is killed while a question is open: another one takes the answer", async () => {
  const set = await stageProcesses();
  const { id, url } = await set.app.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  const response = await browser.logIn("12345otp", "asdfg");
  if (response.status !== "interaction_required" || !response.key) throw new Error(response.status);
  await set.kill();
  const answer = { provider: "test", username: "12345otp", password: "asdfg", otp: "8888" };
  expect((await browser.client().login(answer, { key: response.key })).status).toBe("logged_in");
  await expect.poll(() => set.ends).toEqual(["logged_in"]);
  expect(await set.app.takeKey(id, RECIPIENT)).toBeDefined();
  expect(set.posts()).toHaveLength(2);
});

test("a process that is killed while the bank works on a login: nothing is sent again but by the person", async () => {
  const set = await stageProcesses();
  const { id, url } = await set.app.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  const { promise: held, keep: release } = promised();
  set.holdBank(held);
  const lost = browser.logIn().catch(({ code }) => code);
  await expect.poll(() => set.posts()).toHaveLength(1);
  await set.kill();
  release();
  // The page has asked the other process, which says within seconds that the result is unknown.
  expect(await lost).toBe("outcome_unknown");
  expect((await browser.open(url)).status).toBe(200);
  expect((await set.app.read(id)).status).toBe("opened");
  expect(set.posts()).toHaveLength(1);
  expect((await browser.logIn()).status).toBe("logged_in");
  await expect.poll(() => set.ends).toEqual(["logged_in"]);
  expect(set.posts()).toHaveLength(2);
});
