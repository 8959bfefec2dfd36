import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ModuleKind, transpileModule } from "typescript";
import {
  type BankClient,
  createLinkMachine,
  createLoginMachine,
  createRelayClient,
  linkView,
  login,
  loginView,
} from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, onTestFinished, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { createGatewayClient } from "../../docs/examples/another-service/client.ts";
import { serveGateway } from "../../docs/examples/another-service/gateway.ts";
import { type LoginCase, toLogin } from "../bank/service.ts";
import { installProgram } from "../programs/cli/installed-program.ts";
import { run, runProcess } from "../programs/cli/program.ts";

// docs/another-service.md: a client of seven methods for a service with another API. Everything above it goes on working.

const ana = { provider: "river", username: "ana", password: "1234" };
const sentOnce = ["POST /connections", "POST /connections/c-1/answer"];

async function openGateway() {
  const gateway = await serveGateway("token-1");
  onTestFinished(() => void gateway.close());
  return { gateway, client: createGatewayClient({ baseUrl: gateway.url, token: "token-1" }) };
}

const logIn = (client: BankClient, more: LoginCase = {}) =>
  login(client, ...toLogin({ ...ana, onInteraction: () => "77", ...more }));

test("login(): one POST for the login, one for the answer", async () => {
  const { gateway, client } = await openGateway();
  expect(await logIn(client)).toMatchObject({ state: "loggedIn", provider: "river" });
  expect(gateway.posted).toEqual(sentOnce);
});

test.each([
  ["wrong_credentials", { password: "1235" }],
  ["wrong_answer", { onInteraction: () => "78" }],
])("login(): %s", async (code, more) => {
  const { client } = await openGateway();
  expect(await logIn(client, more)).toMatchObject({ state: "failed", failure: { code } });
});

test("login(): what is missing is refused before anything is sent", async () => {
  const { gateway, client } = await openGateway();
  await expect(logIn(client, { fields: { branch: "9" } })).rejects.toMatchObject({
    code: "invalid_input",
    field: "branch",
  });
  expect(gateway.posted).toEqual([]);
});

test("a screen: the views of the link and of the login", async () => {
  const { client } = await openGateway();
  const actor = createActor(createLinkMachine(client), { input: {} }).start();
  const look = () => linkView(actor.getSnapshot(), actor, { locale: "en" });
  await waitFor(actor, () => look().state === "choosingProvider");
  const list = look();
  if (list.state !== "choosingProvider") throw new Error(list.state);
  expect(list.providers.map(({ name }) => name)).toEqual(["River Bank"]);
  list.choose("river");
  await waitFor(actor, () => look().state === "idle");
  const form = look();
  if (form.state !== "idle") throw new Error(form.state);
  expect(form.form.fields.map(({ name, label, input }) => [name, label, input])).toEqual([
    ["username", "User", "text"],
    ["password", "PIN", "password"],
  ]);
  form.submit({ username: "ana", password: "1234" });
  await waitFor(actor, () => look().state === "awaitingInteraction");
  const asked = look();
  if (asked.state !== "awaitingInteraction") throw new Error(asked.state);
  expect(asked.question.text).toBe("The code of your River card");
  asked.answer("77");
  await waitFor(actor, () => look().state === "linked");
  actor.stop();

  const alone = createActor(createLoginMachine(client), { input: {} }).start();
  expect(loginView(alone.getSnapshot(), alone, { provider: "river" }).state).toBe("idle");
});

test("a relay: the browser's client speaks the contract, the relay speaks to the gateway", async () => {
  const { gateway, client } = await openGateway();
  const keys: string[] = [];
  const relay = createRelay({
    client,
    sealKey: randomBytes(32).toString("base64"),
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: ["https://shop.example"],
    readCaller: () => "ana",
    onLogin: ({ key }) => void keys.push(String(key)),
  });
  const browser = createRelayClient({
    baseUrl: "http://relay.example",
    fetch: (input, init) => {
      const request = new Request(input, init);
      request.headers.set("origin", "https://shop.example");
      return relay(request);
    },
  });
  const outcome = await logIn(browser);
  if (outcome.state !== "loggedIn") throw new Error(outcome.state);
  expect(await browser.listTransferDestinations(outcome.key)).toMatchObject({
    destinations: [{ id: 7, name: "Ana's savings" }],
  });
  expect([gateway.posted, keys]).toEqual([sentOnce, ["[secret]"]]);
});

test("the command: --service with a module", async () => {
  const { gateway } = await openGateway();
  const { folder } = await installProgram();
  const own = join(folder, "own");
  await mkdir(own, { recursive: true });
  const source = await readFile(new URL("../../docs/examples/another-service/client.ts", import.meta.url), "utf8");
  const { outputText } = transpileModule(source, { compilerOptions: { module: ModuleKind.ESNext } });
  await writeFile(join(own, "client.mjs"), outputText);
  await writeFile(
    join(own, "service.mjs"),
    `import { createGatewayClient } from "./client.mjs";
     export default createGatewayClient({ baseUrl: process.env.GATEWAY, token: "token-1" });`,
  );
  await writeFile(join(own, "login.json"), JSON.stringify({ ...ana, provider: undefined, answers: { code: "77" } }), {
    mode: 0o600,
  });
  const options = { cwd: own, environment: { GATEWAY: gateway.url } };
  const command = ["login", "river", "--service", "service.mjs", "--credentials-from", "login.json", "--json"];
  const { code, stdout } = await runProcess(command, options);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { state: "logged_in", provider: "river" }]);
  expect(gateway.posted).toEqual(sentOnce);

  await writeFile(join(own, "none.mjs"), "export default {};");
  const refused = await run(["providers", "--service", "none.mjs"], options);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--service")]);
  const missing = await run(["providers", "--service", "nowhere.mjs"], options);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("--service")]);
});
