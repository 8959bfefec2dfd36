import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { respondAs, startService } from "../bank/service.ts";
import { parseLines, start } from "../programs/cli/program.ts";
import { createBrowser } from "../servers/hosted/stage.ts";
import { listen } from "../servers/relay/stage.ts";
import { createCanary, findCanaries, newCanaries } from "./canaries.ts";

/** A login through `ventanilla serve`, at a bank that gives out canaries as keys. */
async function logIn() {
  const canaries = newCanaries(["username", "password", "answer", "interactionKey", "sessionKey", "apiKey"]);
  const { username, password, answer, interactionKey, sessionKey, apiKey } = canaries;
  const secrets = {
    serveKey: createCanary("serveKey", "canary-serve-key-51c08e7a"),
    webhookSecret: createCanary(
      "webhookSecret",
      `whsec_${Buffer.from("canary-of-the-webhook-2f9d0b61").toString("base64")}`,
    ),
    sealKey: createCanary("sealKey", Buffer.from("canary-of-the-seal-key-83af01c2d").toString("base64")),
  };
  const responses = [
    // Whether the bank exists.
    { status: "success", provider: { name: "Test", country: "UY", auth_fields: [], account_type: [] } },
    { status: "interaction_required", interactive: true, field: "otp", context: "Code?", key: interactionKey.value },
    { status: "logged_in", key: sessionKey.value },
  ];
  const bodies: string[] = [];
  const bank = await startService(
    respondAs(async (request) => {
      bodies.push(request.url, await request.text());
      return Response.json(responses.shift());
    }),
  );
  const webhooks: unknown[] = [];
  const app = await listen(
    createServer(async (request, response) => {
      webhooks.push(request.rawHeaders, await text(request));
      // Refused once: the log has it.
      response.writeHead(webhooks.length === 2 ? 500 : 204).end();
    }),
  );
  const environment = {
    VENTANILLA_BASE_URL: bank.url,
    VENTANILLA_API_KEY: apiKey.value,
    VENTANILLA_SEAL_KEY: secrets.sealKey.value,
    VENTANILLA_SERVE_KEY: secrets.serveKey.value,
    VENTANILLA_WEBHOOK_SECRET: secrets.webhookSecret.value,
  };
  const own = ["serve", "--port", "0", "--name", "Shop", "--webhook", `${app}/ends`, "--json"];
  const { child, result } = await start(own, { environment });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [first] = await once(child.stdout, "data");
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(String(first))?.[0] ?? "";
  const responsesOfTheApi: unknown[] = [];
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secrets.serveKey.value}`,
        "content-type": "application/json",
        "idempotency-key": "job 1",
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const created = await call("POST", "/sessions", { user: "42", provider: "test", username: username.value });
  const read = async () => responsesOfTheApi.push(await call("GET", `/sessions/${created.id}`));
  await read();
  // What is refused is repeated nowhere.
  responsesOfTheApi.push(
    await call("POST", "/sessions", { user: "42", locale: password.value, returnTo: answer.value }),
    await call("GET", `/sessions/${created.id}?${username.value}`),
    await call("GET", `/sessions/${password.value}/${answer.value}`),
  );
  const browser = createBrowser();
  await browser.open(created.url);
  const form = { provider: "test", username: username.value, password: password.value };
  const asked = await browser.client().login(form);
  if (asked.status !== "interaction_required" || !asked.key) throw new Error(asked.status);
  await read();
  expect((await browser.client().login({ ...form, otp: answer.value }, { key: asked.key })).status).toBe("logged_in");
  await read();
  const taken = await call("POST", `/sessions/${created.id}/key`);
  await expect.poll(() => webhooks).toHaveLength(4);
  child.kill("SIGTERM");
  const { stdout, stderr, code } = await result;
  expect(code).toBe(0);
  const token = createCanary("token", created.url.split("/").at(-1));
  const cookie = createCanary("cookie", [...browser.cookies.values()][0] ?? "");
  return {
    all: { ...canaries, ...secrets, token, cookie },
    bodies,
    webhooks,
    stdout,
    stderr,
    responsesOfTheApi,
    taken,
  };
}

// A refused login leaves none in the store and in its end either: hosted.test.ts.
test("a login through serve leaves no secret in webhook, log or status", async () => {
  const { all, bodies, webhooks, stdout, stderr, responsesOfTheApi, taken } = await logIn();
  // They were there to be found.
  for (const name of ["username", "password", "answer"] as const) expect(bodies.join(" ")).toContain(all[name].token);
  expect(findCanaries({ webhooks, stdout, stderr, responsesOfTheApi }, Object.values(all))).toEqual([]);
  // The key is in the response that gives it, and in no other.
  expect(taken).toEqual({ key: all.sessionKey.value });
  const log = parseLines(stderr.slice(stderr.indexOf("{")));
  const events = ["request", "relay", "end", "webhook", "draining", "stopped"];
  expect(log.map(({ event }) => event)).toEqual(expect.arrayContaining(events));
});
