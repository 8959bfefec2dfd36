import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, onTestFinished, test } from "vitest";
import { createBrowser } from "../../../servers/hosted/stage.ts";
import { ownFolder, startHere } from "../program.ts";

const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/** A back end in TypeScript whose client knows what `/openapi.json` says, and nothing else. */
const BACK_END = `
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

export async function run(baseUrl: string, key: string, logIn: (url: string) => Promise<unknown>) {
  const api = createClient<paths>({ baseUrl, headers: { authorization: "Bearer " + key } });
  const created = await api.POST("/sessions", { body: { user: "42", provider: "test", when_open: "reuse" } });
  if (created.error) throw new Error(created.error.message);
  const path = { id: created.data.id };
  const recipient = { header: { "Idempotency-Key": "job 1" }, path };
  const early = await api.POST("/sessions/{id}/key", { params: recipient });
  const code: string | undefined = early.error?.error;
  await logIn(created.data.url);
  const read = await api.GET("/sessions/{id}", { params: { path } });
  const status: "logged_in" | "failed" | "cancelled" | "expired" | "created" | "opened" | "awaiting_interaction" | undefined = read.data?.status;
  const taken = await api.POST("/sessions/{id}/key", { params: recipient });
  const renewed = await api.POST("/sessions/{id}/renew", { params: { path } });
  const cancelled = await api.DELETE("/sessions/{id}", { params: { path: { id: renewed.data?.id ?? "" } } });
  const listed = await api.GET("/sessions", { params: { query: { user: "42" } } });
  const users = listed.data?.sessions.map(({ user }) => user);
  const erased = await api.DELETE("/sessions", { params: { query: { user: "42" } } });
  const ready = await api.GET("/ready");
  const body = { user: "42", bank: "test" };
  const refused = await api.POST("/sessions", { body });
  // @ts-expect-error: it is for a user
  await api.POST("/sessions", { body: { provider: "test" } });
  // @ts-expect-error: a recipient has a name
  await api.POST("/sessions/{id}/key", { params: { path } });
  const left = cancelled.data?.last_step;
  const field = refused.error?.field;
  return { code, status, key: taken.data?.key, users, left, erased: erased.data?.erased, ready: ready.data?.status, field };
}
`;

test("a client that is generated from the description is compiled, and does all that a back end does", async () => {
  const { firstLine, stop } = startHere(["serve", "--json", "--port", "0"]);
  onTestFinished(async () => void (await stop()));
  const { url, key } = await firstLine();
  const description = await (await fetch(`${url}/openapi.json`)).json();
  const folder = await ownFolder();
  await symlink(modules, join(folder, "node_modules"));
  const options = {
    module: "nodenext",
    target: "es2022",
    strict: true,
    skipLibCheck: true,
    types: ["node"],
    outDir: "built",
  };
  const files = {
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify({ compilerOptions: options, include: ["*.ts"] }),
    "api.ts": astToString(await openapiTS(description)),
    "back-end.ts": BACK_END,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const compiler = join(modules, "typescript-7/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "--checkers", "1", "-p", folder]).catch(({ stdout }) => {
    throw new Error(stdout);
  });
  const { run } = await import(pathToFileURL(join(folder, "built/back-end.js")).href);
  const done = await run(url, key, async (address: string) => {
    const browser = createBrowser();
    await browser.open(address);
    await browser.logIn();
  });
  expect(done).toEqual({
    code: "key_unavailable",
    status: "logged_in",
    key: expect.any(String),
    users: ["42", "42"],
    left: "created",
    erased: 2,
    ready: "ready",
    field: "bank",
  });
});
