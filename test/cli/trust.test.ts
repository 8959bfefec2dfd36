import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkEncryption } from "../../src/cli/settings/trust.ts";
import { isLogin, watchedBank } from "./bank.ts";
import { ownFolder, parseLines, plainUser, run, runLogin } from "./program.ts";
import { openTerminal } from "./terminal.ts";

// The most trusted first.
const sources = ["option", "environment", "config", "folder"] as const;
type Source = (typeof sources)[number];

const KEY = "sandbox-api-key";
const input = JSON.stringify(plainUser);

/** A folder, words and an environment in which an address and an API key come from these sources. */
async function createSettings(url: string, address: Source, key: Source) {
  const cwd = await ownFolder();
  const words: string[] = [];
  const environment: Record<string, string> = {};
  const config = (source: Source) => ({
    ...(address === source && { baseUrl: url }),
    ...(key === source && { apiKey: KEY }),
  });
  const write = (name: string, content: object) => writeFile(join(cwd, name), JSON.stringify(content), { mode: 0o600 });
  if (address === "option") words.push("--base-url", url);
  if (address === "environment") environment["VENTANILLA_BASE_URL"] = url;
  if (key === "option") {
    await writeFile(join(cwd, "api.key"), KEY, { mode: 0o600 });
    words.push("--api-key-from", "api.key");
  }
  if (key === "environment") environment["VENTANILLA_API_KEY"] = KEY;
  if (address === "config" || key === "config") {
    await write("mine.json", config("config"));
    words.push("--config", "mine.json");
  }
  if (address === "folder" || key === "folder") await write("ventanilla.config.json", config("folder"));
  return { cwd, words, environment };
}

const pairs = sources
  .flatMap((address) => sources.map((key) => [address, key] as const))
  // One config file is read, so its address and its key come from the same one.
  .filter((pair) => !(pair.includes("config") && pair.includes("folder")));

describe("an API key goes only to an address from the same or a more trusted source", () => {
  // By hand: what each address may be given.
  const allowed: Readonly<Record<Source, readonly Source[]>> = {
    option: ["option", "environment", "config", "folder"],
    environment: ["environment", "config", "folder"],
    config: ["config"],
    folder: ["folder"],
  };

  test.each(pairs)("address: %s, key: %s", async (address, key) => {
    const bank = await watchedBank();
    const { words, ...options } = await createSettings(bank.url, address, key);
    const result = await run(["providers", "--json", ...words], options);
    if (allowed[address].includes(key)) {
      expect([result.code, bank.seen.length]).toEqual([0, 1]);
    } else {
      expect([result.code, bank.seen.length]).toEqual([9, 0]);
      expect(parseLines(result)).toMatchObject([
        {
          status: "untrusted_address",
          field: key === "option" ? "--api-key-from" : "VENTANILLA_API_KEY",
          text: expect.stringContaining("Give the address with --base-url."),
        },
      ]);
    }
  });
});

describe("credentials that nobody types go to no address of the current folder's", () => {
  const session = { VENTANILLA_SESSION_KEY: "k".repeat(32) };
  const line = JSON.stringify({ id: "a", provider: "test", ...plainUser });
  test.each([
    [["login", "test", "--credentials-from", "-"], input, {}, "--credentials-from"],
    [["login", "test", "--password-stdin"], "gfdsa", {}, "--password-stdin"],
    [["login", "test"], "", { VENTANILLA_USERNAME: "12345" }, "VENTANILLA_USERNAME"],
    [["login", "test", "--answer-command", "echo 1"], "", {}, "--answer-command"],
    [["batch", "-", "--out", "results.jsonl"], line, {}, "FILE"],
    [["destinations", "--key-from", "-"], "k".repeat(32), {}, "--key-from"],
    [["destinations"], "", session, "VENTANILLA_SESSION_KEY"],
    [["logout"], "", session, "VENTANILLA_SESSION_KEY"],
  ] as const)("%j", async (words, text, more, field) => {
    const bank = await watchedBank();
    const { cwd } = await createSettings(bank.url, "folder", "folder");
    const refused = await run([...words, "--json"], { cwd, input: text, environment: more });
    expect(refused.code).toBe(9);
    expect(parseLines(refused)).toMatchObject([{ status: "untrusted_address", field }]);
    expect(bank.seen).toEqual([]);
  });

  test.each(["option", "environment", "config"] as const)("and to an address from %s they do", async (source) => {
    const bank = await watchedBank();
    const { words, ...options } = await createSettings(bank.url, source, source);
    expect((await runLogin("test", plainUser, words, options)).code).toBe(0);
    expect(bank.seen.filter(isLogin)).toHaveLength(1);
  });

  test("the same file, named, is the person's own", async () => {
    const bank = await watchedBank();
    const { cwd } = await createSettings(bank.url, "folder", "folder");
    const result = await runLogin("test", plainUser, ["--config", "ventanilla.config.json"], { cwd });
    expect(result.code).toBe(0);
  });
});

test("a relative XDG_CONFIG_HOME would be the current folder's: it is ignored, and the embedded sandbox answers", async () => {
  const bank = await watchedBank();
  const cwd = await ownFolder();
  await mkdir(join(cwd, "home/ventanilla"), { recursive: true });
  const config = JSON.stringify({ baseUrl: bank.url, apiKey: KEY });
  await writeFile(join(cwd, "home/ventanilla/config.json"), config, { mode: 0o600 });
  const { stderr } = await run(["providers"], { cwd, environment: { XDG_CONFIG_HOME: "home" } });
  expect(stderr).toContain("No service is set");
  expect(bank.seen).toEqual([]);
});

describe("the host is named before anything is typed or sent", () => {
  test("in a script, once, on standard error; with --json the script knows", async () => {
    const bank = await watchedBank();
    const { host } = new URL(bank.url);
    const { environment } = bank;
    const { stderr } = await runLogin("test", plainUser, [], { environment });
    expect(stderr).toBe(`Logging in at ${host}\nlogged_in: You are logged in.\n`);
    expect((await runLogin("test", plainUser, ["--json"], { environment })).stderr).toBe("");
  });

  test("with the file of the current folder, where that has the address", async () => {
    const bank = await watchedBank();
    const { cwd } = await createSettings(bank.url, "folder", "folder");
    const { code, stderr } = await run(["login", "test"], { cwd });
    const said = `Logging in at ${new URL(bank.url).host} (the address is that of ventanilla.config.json in this folder)`;
    expect([code, stderr.split("\n", 1)]).toEqual([3, [said]]);
  });

  test("in a terminal, above the first prompt", async () => {
    const bank = await watchedBank();
    const named = `Logging in at ${new URL(bank.url).host}`;
    const terminal = await openTerminal(["login", "test"], bank.environment);
    const [above] = (await terminal.shows("User name")).split("User name");
    expect(above).toContain(named);
  });
});

describe("http leaves this machine only when that is said", () => {
  test("with --allow-http it is used", async () => {
    const bank = await watchedBank();
    // A name of this machine that is no loopback address.
    const address = bank.url.replace("127.0.0.1", "0.0.0.0");
    const words = ["providers", "--base-url", address, "--api-key-from", "-"];
    const refused = await run([...words, "--json"], { input: KEY });
    expect(refused.code).toBe(13);
    expect(parseLines(refused)).toMatchObject([{ status: "insecure_address", field: "--base-url" }]);
    expect(bank.seen).toEqual([]);
    expect((await run([...words, "--allow-http"], { input: KEY })).code).toBe(0);
    expect(bank.seen).toHaveLength(1);
  });

  test.each([
    ["http://bank.invalid", true],
    ["http://192.0.2.1", true],
    ["http://10.0.0.1", true],
    ["http://localhost.bank.invalid", true],
    ["http://127.0.0.1.bank.invalid", true],
    ["http://[::2]", true],
    ["http://[::ffff:192.0.2.1]", true],
    ["http://localhost:9", false],
    ["http://LOCALHOST", false],
    ["http://127.0.0.1:9", false],
    ["http://127.9.9.9/path", false],
    ["http://127.1", false],
    ["http://[::1]:9", false],
    ["http://[0:0::1]", false],
    ["https://bank.invalid", false],
  ])("%s refused: %s", (address, expected) => {
    const check = expect(() => checkEncryption(address, "option"));
    if (expected) check.toThrow("insecure_address");
    else check.not.toThrow();
  });
});
