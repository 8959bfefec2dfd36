import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { watchedBank } from "../../bank/watched-bank.ts";
import { asWords } from "../../leaks/canaries.ts";
import { createBrowser } from "../../servers/hosted/stage.ts";
import { openReceiver, type ReceivedMetric, startReceiver, toObject } from "../../tools/telemetry/otlp-receiver.ts";
import { startHostHere } from "../mcp/host.ts";
import { codeUser, ownFolder, plainUser, run, runLogin, start, startHere } from "./program.ts";

const root = new URL("../../../", import.meta.url);

const outcomes = (metric: ReceivedMetric | undefined) =>
  (metric?.histogram?.dataPoints ?? []).map(({ attributes, count }) => [
    toObject(attributes)["ventanilla.outcome"],
    count,
  ]);

/** A login with a question, on the page of an address. */
async function logInWithCode(url: string): Promise<void> {
  const browser = createBrowser();
  await browser.open(url);
  expect((await browser.logIn(codeUser.username, codeUser.password)).status).toBe("interaction_required");
  await browser.answerAgain({ otp: "8888" });
  // The page loads again after the end.
  await browser.open(url);
}

describe("in a process with an SDK of OpenTelemetry", () => {
  test("login exports its spans and metrics before it ends", async () => {
    const receiver = await startReceiver();
    const { environment } = await watchedBank();
    const { code } = await runLogin("test", { ...codeUser, answers: { otp: "8888" } }, [], { environment });
    expect(code).toBe(0);
    expect(outcomes(receiver.metrics.get("ventanilla.login.duration"))).toEqual([["logged_in", 1]]);
    expect(outcomes(receiver.metrics.get("ventanilla.interaction.wait"))).toEqual([["answered", 1]]);
    expect(receiver.spans.map(({ name }) => name)).toContain("ventanilla.submitAnswer");
  });

  test("batch does so of all its logins", async () => {
    const receiver = await startReceiver();
    const { environment } = await watchedBank();
    const cwd = await ownFolder();
    const lines = [plainUser, plainUser, { ...plainUser, password: "wrong" }];
    const text = lines.map((line, id) => JSON.stringify({ id: `${id}`, provider: "test", ...line })).join("\n");
    await writeFile(join(cwd, "logins.jsonl"), text);
    const { code } = await run(["batch", "logins.jsonl", "--out", "results.jsonl"], { cwd, environment });
    expect(code).toBe(8);
    expect(outcomes(receiver.metrics.get("ventanilla.login.duration")).sort()).toEqual([
      ["logged_in", 2],
      ["wrong_credentials", 1],
    ]);
  });

  test.each<[name: string, logIn: (environment: Readonly<Record<string, string>>) => Promise<unknown>]>([
    [
      "link",
      async (environment) => {
        const { firstLine, ended } = startHere(["link", "--json"], environment);
        await logInWithCode(String((await firstLine())["url"]));
        expect(await ended).toBe(0);
      },
    ],
    [
      "mcp",
      async (environment) => {
        const { call, client } = await startHostHere([], { environment });
        await logInWithCode((await call("start_bank_login", { bank: "test" })).address);
        // The host goes away.
        await client.close();
      },
    ],
  ])("%s does so of the login on its page", async (_, logIn) => {
    const receiver = await startReceiver();
    await logIn((await watchedBank()).environment);
    const metric = (name: string) => receiver.metrics.get(`ventanilla.${name}`);
    expect(outcomes(metric("login.duration"))).toEqual([["logged_in", 1]]);
    expect(outcomes(metric("interaction.wait"))).toEqual([["answered", 1]]);
    expect(outcomes(metric("request.duration"))).toContainEqual(["logged_in", 1]);
    expect(metric("logins.active")?.sum?.dataPoints.map(({ asDouble }) => asDouble)).toEqual([0]);
    expect(receiver.bodies.join()).not.toMatch(asWords("12345otp", "asdfg", "8888"));
  });
});

/** A collector and a bank, and what a process needs to export to the one and to log in at the other, by the SDK of the docs. */
async function stageProcess() {
  const [receiver, bank] = await Promise.all([openReceiver(), watchedBank()]);
  const environment = {
    ...bank.environment,
    NODE_OPTIONS: `--import ${new URL("docs/examples/telemetry/sdk.mjs", root).href}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  };
  // Beside the packages of OpenTelemetry.
  const main = fileURLToPath(new URL("dist/src/programs/cli/main.js", root));
  return { receiver, environment, main };
}

test("the SDK of the docs says which service, which process and which machine, and obeys the environment", async () => {
  const { receiver, environment, main } = await stageProcess();
  const words = ["login", "test", "--credentials-from", "-"];
  const input = JSON.stringify(plainUser);
  const logIn = async (more: Readonly<Record<string, string>>) => {
    const { result } = await start(words, { environment: { ...environment, ...more }, main, input });
    expect((await result).code).toBe(0);
  };
  await logIn({});
  const own = receiver.resources.splice(0);
  expect(own).toHaveLength(2);
  expect(own[0]).toEqual(own[1]);
  expect(own[0]).toMatchObject({
    "service.name": "ventanilla",
    "service.instance.id": expect.stringMatching(/^[\da-f-]{36}$/),
    "host.name": hostname(),
  });
  await logIn({ OTEL_SERVICE_NAME: "shop-logins", OTEL_RESOURCE_ATTRIBUTES: "service.instance.id=one,k8s.pod.name=a" });
  for (const resource of receiver.resources) {
    expect(resource).toMatchObject({
      "service.name": "shop-logins",
      "service.instance.id": "one",
      "k8s.pod.name": "a",
    });
  }
  expect(receiver.resources).toHaveLength(2);
  expect(receiver.bodies.join()).not.toContain("--credentials-from");
});

test("serve, started with the SDK of the docs, goes on with the trace of its caller and exports", async () => {
  const { receiver, environment: exporting, main } = await stageProcess();
  const environment = {
    ...exporting,
    VENTANILLA_SERVE_KEY: "a-key-of-the-shop-42",
    VENTANILLA_SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const { child, result, firstLine } = await start(["serve", "--json", "--port", "0", "--name", "Shop"], {
    environment,
    main,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const line = await firstLine();
  const traceId = "a".repeat(32);
  const created = await fetch(`${line["url"]}/sessions`, {
    method: "POST",
    headers: {
      authorization: "Bearer a-key-of-the-shop-42",
      "content-type": "application/json",
      traceparent: `00-${traceId}-${"b".repeat(16)}-01`,
    },
    body: JSON.stringify({ user: "ana", provider: "test" }),
  });
  const { id, url } = (await created.json()) as { id: string; url: string };
  await logInWithCode(url);
  child.kill("SIGTERM");
  expect((await result).code).toBe(0);

  expect(receiver.spans).toContainEqual(
    expect.objectContaining({ traceId, parentSpanId: "b".repeat(16), name: "POST /sessions", kind: 2 }),
  );
  const creating = receiver.spans.find(({ name }) => name === "POST /sessions");
  expect(toObject(creating?.attributes ?? [])).toEqual({
    "http.request.method": "POST",
    "http.route": "/sessions",
    "http.response.status_code": 201,
    "url.scheme": "http",
    "ventanilla.session.id": id,
  });
  const logins = receiver.spans.filter(({ name }) => name === "POST /login/");
  const attributes = logins.map((span) => toObject(span.attributes));
  const sent = { "ventanilla.provider": "test", "http.response.status_code": 200 };
  expect(attributes).toMatchObject([
    {
      ...sent,
      "ventanilla.request": "submitCredentials",
      "ventanilla.session.id": id,
      "ventanilla.outcome": "interaction_required",
    },
    { ...sent, "ventanilla.request": "submitAnswer", "ventanilla.outcome": "logged_in" },
  ]);
  expect(new Set(attributes.map((found) => found["ventanilla.login.id"])).size).toBe(1);
  expect(outcomes(receiver.metrics.get("ventanilla.login.duration"))).toEqual([["logged_in", 1]]);
  expect(receiver.bodies.join()).not.toMatch(asWords("ana", "12345otp", "asdfg", "8888", "a-key-of-the-shop"));
});
