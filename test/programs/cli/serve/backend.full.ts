import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { expect, onTestFinished } from "vitest";
import { watchedBank } from "../../../bank/watched-bank.ts";
import { findFreePort } from "../../../free-port.ts";
import { test } from "../../../screens/browser/screen-page.ts";
import { parseLines, start } from "../program.ts";

const file = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

test("a back end in Python gets a login: its link in a browser, the webhook, the key, the destinations", async ({
  open,
}) => {
  const bank = await watchedBank();
  const port = await findFreePort();
  const keys = {
    VENTANILLA_SERVE_KEY: "a-serve-key-of-a-test-01",
    VENTANILLA_WEBHOOK_SECRET: `whsec_${"A".repeat(44)}`,
  };
  const words = ["serve", "--json", "--port", "0", "--name", "Shop", "--webhook", `http://127.0.0.1:${port}/ends`];
  // The built package: the page's files are in it.
  const serving = await start(words, {
    main: file("dist/src/programs/cli/main.js"),
    environment: { ...bank.sealingEnvironment, ...keys },
  });
  onTestFinished(() => void serving.child.kill("SIGKILL"));
  const [[line = {}]] = (await once(serving.child.stdout, "data")).map(parseLines) as [Record<string, string>[]];

  const backend = spawn("python3", [file("docs/examples/serve/backend.py")], {
    env: {
      ...keys,
      PATH: process.env["PATH"],
      SERVE_URL: line["url"],
      WEBHOOK_PORT: String(port),
      BANK_URL: bank.url,
      BANK_API_KEY: SANDBOX_API_KEY,
      PYTHONDONTWRITEBYTECODE: "1",
    },
  });
  onTestFinished(() => void backend.kill("SIGKILL"));
  let printed = "";
  for (const stream of [backend.stdout, backend.stderr]) {
    stream.on("data", (part) => {
      printed += part;
    });
  }
  const ended = once(backend, "close");
  await expect.poll(() => printed).toMatch(/Log in at (http\S+)\n/);
  const screen = await open("about:blank");
  await screen.page.goto(/Log in at (\S+)/.exec(printed)?.[1] ?? "");
  await screen.waitForState("idle");
  await screen.submit({ username: "12345", password: "gfdsa" });
  await screen.page.getByText("Banco de prueba is connected.").waitFor();

  expect(await ended).toEqual([0, null]);
  expect(printed.split("\n").slice(1)).toEqual([
    "Account 42 logged_in",
    "Can transfer to Institución de prueba 1",
    "Can transfer to Institución de prueba 2",
    "",
  ]);
  expect(bank.sent("username")).toEqual(["12345"]);
  serving.child.kill("SIGTERM");
  expect((await serving.result).code).toBe(0);
});
