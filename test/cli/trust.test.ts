import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkEncryption } from "../../src/cli/settings/trust.ts";
import { watchedBank } from "./bank.ts";
import { ownFolder, parseLines, plainUser, run, runLogin } from "./program.ts";
import { openTerminal } from "./terminal.ts";

type Source = "option" | "environment" | "config" | "folder";

const KEY = "sandbox-api-key";
const input = JSON.stringify(plainUser);

/** A bank, and a folder, words and an environment in which its address and an API key come from these sources. */
async function openSource(address: Source, key: Source) {
  const [bank, cwd] = await Promise.all([watchedBank(), ownFolder()]);
  const toConfig = (source: Source) =>
    JSON.stringify({ ...(address === source && { baseUrl: bank.url }), ...(key === source && { apiKey: KEY }) });
  const files = { "api.key": KEY, "mine.json": toConfig("config"), "ventanilla.config.json": toConfig("folder") };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text, { mode: 0o600 });
  const words = [
    ...(address === "option" ? ["--base-url", bank.url] : []),
    ...(key === "option" ? ["--api-key-from", "api.key"] : []),
    ...(address === "config" || key === "config" ? ["--config", "mine.json"] : []),
  ];
  const environment = {
    ...(address === "environment" && { VENTANILLA_BASE_URL: bank.url }),
    ...(key === "environment" && { VENTANILLA_API_KEY: KEY }),
  };
  return { bank, words, options: { cwd, environment } };
}

// By hand. One config file is read, so where both come from one, it is the same.
test.each<[address: Source, key: Source, refused?: string]>([
  ["option", "option"],
  ["option", "environment"],
  ["option", "config"],
  ["option", "folder"],
  ["environment", "option", "--api-key-from"],
  ["environment", "environment"],
  ["environment", "config"],
  ["environment", "folder"],
  ["config", "option", "--api-key-from"],
  ["config", "environment", "VENTANILLA_API_KEY"],
  ["config", "config"],
  ["folder", "option", "--api-key-from"],
  ["folder", "environment", "VENTANILLA_API_KEY"],
  ["folder", "folder"],
])("an API key goes only to an address as trusted as itself: address from %s, key from %s", async (...row) => {
  const [address, key, field] = row;
  const { bank, words, options } = await openSource(address, key);
  const { code, stdout } = await run(["providers", "--json", ...words], options);
  expect([code, bank.requests.length]).toEqual(field ? [9, 0] : [0, 1]);
  if (!field) return;
  const text = expect.stringContaining("Give the address with --base-url.");
  expect(parseLines(stdout)).toMatchObject([{ status: "untrusted_address", field, text }]);
});

describe("credentials that were not typed never go to an address from the current folder", () => {
  const session = { VENTANILLA_SESSION_KEY: "k".repeat(32) };
  const line = JSON.stringify({ id: "a", provider: "test", ...plainUser });
  test.each([
    [["login", "test", "--credentials-from", "-"], input, {}, "--credentials-from"],
    [["login", "test", "--password-stdin"], "gfdsa", {}, "--password-stdin"],
    [["login", "test"], "", { VENTANILLA_USERNAME: "12345" }, "VENTANILLA_USERNAME"],
    [["login", "test", "--answer-command", "echo 1"], "", {}, "--answer-command"],
    [["batch", "-", "--out", "results.jsonl"], line, {}, "FILE"],
    [["destinations", "--key-from", "-"], "k".repeat(32), {}, "--key-from"],
    [["logout"], "", session, "VENTANILLA_SESSION_KEY"],
  ] as const)("%j", async (words, text, environment, field) => {
    const { bank, options } = await openSource("folder", "folder");
    const refused = await run([...words, "--json"], { ...options, input: text, environment });
    expect(refused.code).toBe(9);
    expect(parseLines(refused.stdout)).toMatchObject([{ status: "untrusted_address", field }]);
    expect(bank.requests).toEqual([]);
  });

  test.each(["option", "environment", "config"] as const)("but they go to an address from %s", async (source) => {
    const { bank, words, options } = await openSource(source, source);
    expect((await runLogin("test", plainUser, words, options)).code).toBe(0);
    expect(bank.sent("username")).toHaveLength(1);
  });

  test("the same file is trusted when --config names it", async () => {
    const { options } = await openSource("folder", "folder");
    const result = await runLogin("test", plainUser, ["--config", "ventanilla.config.json"], options);
    expect(result.code).toBe(0);
  });
});

test("a relative XDG_CONFIG_HOME is ignored: it would be in the current folder", async () => {
  const [bank, cwd] = await Promise.all([watchedBank(), ownFolder()]);
  await mkdir(join(cwd, "home/ventanilla"), { recursive: true });
  const config = JSON.stringify({ baseUrl: bank.url, apiKey: KEY });
  await writeFile(join(cwd, "home/ventanilla/config.json"), config, { mode: 0o600 });
  const { stderr } = await run(["providers"], { cwd, environment: { XDG_CONFIG_HOME: "home" } });
  expect(stderr).toContain("No service is set");
  expect(bank.requests).toEqual([]);
});

describe("the command names the host before anything is typed or sent", () => {
  test("in a script once, on standard error, and not with --json", async () => {
    const { url, environment } = await watchedBank();
    const said = `Logging in at ${new URL(url).host}\nlogged_in: You are logged in.\n`;
    expect((await runLogin("test", plainUser, [], { environment })).stderr).toBe(said);
    expect((await runLogin("test", plainUser, ["--json"], { environment })).stderr).toBe("");
  });

  test("with the config file of the current folder, if the address is from there", async () => {
    const { bank, options } = await openSource("folder", "folder");
    const { code, stderr } = await run(["login", "test"], options);
    const said = `Logging in at ${new URL(bank.url).host} (the address is that of ventanilla.config.json in this folder)`;
    expect([code, stderr.split("\n", 1)]).toEqual([3, [said]]);
  });

  test("in a terminal, above the first prompt", async () => {
    const { url, environment } = await watchedBank();
    const terminal = await openTerminal(["login", "test"], environment);
    const [above] = (await terminal.shows("User name")).split("User name");
    expect(above).toContain(`Logging in at ${new URL(url).host}`);
  });
});

describe("http to another machine needs --allow-http", () => {
  test("without it the command is refused, with it the request is sent", async () => {
    const bank = await watchedBank();
    // A name of this machine that is no loopback address.
    const address = bank.url.replace("127.0.0.1", "0.0.0.0");
    const words = ["providers", "--base-url", address, "--api-key-from", "-"];
    const refused = await run([...words, "--json"], { input: KEY });
    expect(refused.code).toBe(13);
    expect(parseLines(refused.stdout)).toMatchObject([{ status: "insecure_address", field: "--base-url" }]);
    expect(bank.requests).toEqual([]);
    expect((await run([...words, "--allow-http"], { input: KEY })).code).toBe(0);
  });

  test.each([
    ["http://10.0.0.1", true],
    ["http://localhost.bank.invalid", true],
    ["http://127.0.0.1.bank.invalid", true],
    ["http://[::2]", true],
    ["http://[::ffff:192.0.2.1]", true],
    ["http://LOCALHOST:9", false],
    ["http://127.9.9.9/path", false],
    ["http://127.1", false],
    ["http://[0:0::1]", false],
    ["https://bank.invalid", false],
  ])("%s refused: %s", (address, expected) => {
    const check = expect(() => checkEncryption(address, "option"));
    if (expected) check.toThrow("insecure_address");
    else check.not.toThrow();
  });
});
