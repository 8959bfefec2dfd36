import { chmod, chown, mkdir, open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BATCH, openBatch } from "./open-batch.ts";
import { codeUser, plainUser, run, runLogin } from "./program.ts";

// These run as root: only root can give a file to another user.
const OTHER = 54321;

const openOwnBatch = () => openBatch([{ id: "a", provider: "test", ...plainUser }]);

test.each([
  ["--out", "results.jsonl"],
  ["--keys-to", "keys.jsonl"],
])("a batch refuses %s to a file of another user", async (option, file) => {
  const { bank, cwd, write, options } = await openOwnBatch();
  await write(file, "");
  await chown(join(cwd, file), OTHER, OTHER);
  const stderr = expect.stringContaining(`[${option}: belongs to another user]`);
  expect(await run([...BATCH, "--keys-to", "keys.jsonl"], options)).toMatchObject({ code: 2, stderr });
  expect(await readFile(join(cwd, file), "utf8")).toBe("");
  expect(bank.requests).toEqual([]);
});

test("a config file of another user is refused", async () => {
  const { bank, cwd, write, options } = await openOwnBatch();
  await write("mine.json", "{}");
  await chown(join(cwd, "mine.json"), OTHER, OTHER);
  const stderr = expect.stringContaining("[--config: belongs to another user]");
  expect(await run(["providers", "--config", "mine.json"], options)).toMatchObject({ code: 2, stderr });
  expect(bank.requests).toEqual([]);
});

test("claims in a folder of another user are refused", async () => {
  const { bank, cwd, options } = await openOwnBatch();
  const environment = { ...bank.sealingEnvironment, XDG_STATE_HOME: cwd };
  await runLogin("test", codeUser, ["--pause-to", "paused"], { ...options, environment });
  await mkdir(join(cwd, "ventanilla", "claims"), { recursive: true, mode: 0o700 });
  await chown(join(cwd, "ventanilla", "claims"), OTHER, OTHER);
  const stderr = expect.stringContaining("[state folder: belongs to another user]");
  expect(await run(["login", "--resume", "paused"], { cwd, environment })).toMatchObject({ code: 2, stderr });
});

test.each([
  ["--key-to", plainUser, 0],
  ["--pause-to", codeUser, 7],
] as const)("%s replaces a file of another user, who has it open", async (option, user, code) => {
  const { bank, cwd } = await openOwnBatch();
  const path = join(cwd, "secret");
  await writeFile(path, "old");
  await chmod(path, 0o666);
  await chown(path, OTHER, OTHER);
  const reader = await open(path);
  onTestFinished(() => reader.close());
  const result = await runLogin("test", user, [option, "secret"], { cwd, environment: bank.sealingEnvironment });
  expect(result.code).toBe(code);
  const { uid, mode } = await stat(path);
  expect([uid, mode & 0o777]).toEqual([0, 0o600]);
  expect(await reader.readFile("utf8")).toBe("old");
});

test("a user without an entry in passwd, and without HOME, needs no config file", async () => {
  const { bank, options } = await openOwnBatch();
  const { HOME } = process.env;
  delete process.env["HOME"];
  process.seteuid?.(OTHER);
  onTestFinished(() => {
    process.seteuid?.(0);
    if (HOME !== undefined) process.env["HOME"] = HOME;
  });
  const environment = { ...options.environment, XDG_CONFIG_HOME: "" };
  expect(await run(["providers"], { cwd: "/", environment })).toMatchObject({ code: 0 });
  expect(bank.requests.length).toBeGreaterThan(0);
});
