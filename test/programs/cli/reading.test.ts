import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { locales } from "../../../src/core/texts/languages.ts";
import { watchedBank } from "../../bank/watched-bank.ts";
import { ownFolder, parseLines, plainUser, run, runLogin, runProcess, start } from "./program.ts";

const apiKey = "sandbox-api-key";

describe("providers", () => {
  test("without any setting lists the embedded sandbox's banks, and says so", async () => {
    const { code, stdout, stderr } = await run(["providers"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^faro_uy +UY +Banco Faro$/m);
    expect(stderr).toMatch(/No service is set .* uses the embedded sandbox/);
  });

  test.each([
    [["--country", "br", "--search", "ipe"], "ipe_br  BR  Banco Ipê\n"],
    [["--country", "BR", "--json"], '{"code":"ipe_br","country":"BR","name":"Banco Ipê"}\n'],
  ])("%j narrows the list, and prints nothing else", async (words, stdout) => {
    expect(await run(["providers", ...words])).toMatchObject({ code: 0, stdout });
  });

  test("no match is an empty list and no failure", async () => {
    const stderr = expect.stringContaining("Nothing found.");
    expect(await run(["providers", "--search", "no such bank"])).toEqual({ code: 0, stdout: "", stderr });
  });

  test("a closed pipe ends the command without a message", async () => {
    const { child, result } = await start(["providers"]);
    child.stdout.destroy();
    expect((await result).code).toBe(141);
  });
});

describe("fields", () => {
  test("shows what a bank asks, in the person's language", async () => {
    const { code, stdout } = await run(["fields", "canal_pa"], { environment: { LANG: "es_PA.UTF-8" } });
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toMatch(/ PA {2}Corporativa {2}.+$/);
    expect(stdout.split("\n").slice(1)).toEqual([
      "  username  Usuario",
      "  password  Contraseña",
      "  company_code  Código de empresa",
      "  token  Token  (opcional, se pide después)",
      "",
    ]);
  });

  test("--json has a line for each field, with its choices and the kinds of account of the bank", async () => {
    const fields = parseLines((await run(["fields", "ceibo_ar", "--json"])).stdout);
    expect(fields.map(({ name }) => name)).toEqual(["username", "password", "type", "token"]);
    const choices = [
      expect.objectContaining({ name: "pers" }),
      { name: "corp", label_en: "Company", label_es: "Empresa" },
    ];
    const personal = { name: "pers", label_en: "Personal", label_es: "Personal" };
    const corporate = { name: "corp", label_en: "Corporate", label_es: "Corporativa" };
    for (const { account_type } of fields) expect(account_type).toEqual([personal, corporate]);
    expect(fields[2]).toMatchObject({ type: "choice", interactive: false, optional: false, choices });
  });
});

test.each([
  [["fields", "test"], "GET", "/provider/{code}/", 1, "Something went wrong."],
  [["login", "test", "--credentials-from", "-"], "POST", "/login/", 5, "The login was interrupted, and your details"],
])("a fault of %j shows HTTP status and address in brackets", async (words, method, path, exit, text) => {
  const { url, environment } = await watchedBank((request) =>
    request.method === method ? { text: "", http: 500 } : undefined,
  );
  const { code, stderr } = await run(words, { environment, input: JSON.stringify(plainUser) });
  expect(code).toBe(exit);
  expect(stderr).toContain(text);
  expect(stderr).toContain(`[the service responded with HTTP 500 (${method} ${url}${path})`);
});

/** A folder with a config file, and a bank that it names. */
async function openConfigured(name: string, more: object = {}, mode = 0o600) {
  const [bank, cwd] = await Promise.all([watchedBank(), ownFolder()]);
  await mkdir(join(cwd, "ventanilla"));
  await writeFile(join(cwd, name), JSON.stringify({ baseUrl: bank.url, apiKey, ...more }), { mode });
  return { bank, cwd };
}

describe("settings", () => {
  test("an option overrides the environment, and that overrides a config file", async () => {
    const [first, second] = [await watchedBank(), await watchedBank()];
    const { bank: third, cwd } = await openConfigured("ventanilla/config.json", { locale: "pt" });
    const configured = { XDG_CONFIG_HOME: cwd };
    const environment = { ...second.environment, ...configured };
    await run(["providers", "--base-url", first.url], { environment });
    await run(["providers"], { environment });
    const { stderr } = await run(["providers", "--search", "nothing"], { environment: configured });
    expect([first, second, third].map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
    expect(stderr).toBe("Nada encontrado.\n");
    expect((await run(["logout"], { environment: configured })).stderr).toContain("Falta uma opção, uma variável");
  });

  test("a config file with an API key that others can read brings a warning", async () => {
    const { cwd } = await openConfigured("mine.json", {}, 0o644);
    const stderr =
      "Other users of this machine can read this file, which holds secrets (chmod 600 fixes it): mine.json\n";
    expect(await run(["providers", "--config", "mine.json"], { cwd })).toMatchObject({ code: 0, stderr });
  });

  test.each([0o620, 0o602])("a config file of mode %i, which others can change, is refused", async (mode) => {
    const { bank, cwd } = await openConfigured("mine.json");
    await chmod(join(cwd, "mine.json"), mode);
    const stderr = expect.stringContaining("[--config: others can change it; chmod go-w helps]");
    expect(await run(["providers", "--config", "mine.json"], { cwd })).toMatchObject({ code: 2, stderr });
    expect(bank.requests).toEqual([]);
  });

  test.each([
    ["--api-key-from", ["providers"]],
    ["--key-from", ["logout"]],
    ["--credentials-from", ["login", "test"]],
    ["--seal-key-from", ["login", "test", "--seal"]],
  ])("a file of %s that others can read brings a warning", async (option, words) => {
    const [{ environment }, cwd] = await Promise.all([watchedBank(), ownFolder()]);
    const warning = "Other users of this machine can read this file, which holds secrets (chmod 600 fixes it): a.key\n";
    for (const mode of [0o640, 0o604, 0o600]) {
      await writeFile(join(cwd, "a.key"), randomBytes(32).toString("base64"));
      await chmod(join(cwd, "a.key"), mode);
      const { stderr } = await run([...words, option, "a.key"], { cwd, environment });
      expect([mode, stderr.includes(warning)]).toEqual([mode, mode !== 0o600]);
    }
  });

  test("a secret that a container mounts, of another user, causes no warning: no one there can change it", async () => {
    const [{ environment }, cwd] = await Promise.all([watchedBank(), ownFolder()]);
    await writeFile(join(cwd, "a.key"), "sandbox-api-key", { mode: 0o644 });
    const other = vi.spyOn(process, "geteuid").mockReturnValue((process.geteuid?.() ?? 0) + 1);
    onTestFinished(() => other.mockRestore());
    expect(await run(["providers", "--api-key-from", "a.key"], { cwd, environment })).toMatchObject({
      code: 0,
      stderr: "",
    });
  });

  test.each([
    ['{"baseURL":"http://127.0.0.1"}', "config.baseURL: is not known here"],
    ['{"locale":"xx"}', `config.locale: must be (${locales.map((locale) => `"${locale}"`).join(" | ")})`],
    ['{"timeout":{"logins":1}}', "config.timeout.logins: is not known here"],
    ["{", "config: is not JSON"],
  ])("the config file %s is refused with the place of the error", async (content, detail) => {
    const cwd = await ownFolder();
    await writeFile(join(cwd, "other.json"), content);
    const { code, stderr } = await run(["providers", "--config", "other.json"], { cwd });
    expect([code, stderr]).toEqual([2, `invalid_input: An option, a variable or a file is not valid. [${detail}]\n`]);
  });

  test.each(["utf8", "utf16le"] as const)("a file in %s with a mark of Windows is read", async (encoding) => {
    const { bank, cwd } = await openConfigured("unused.json");
    const marked = (text: string) => Buffer.from(`\uFEFF${text}`, encoding);
    await writeFile(join(cwd, "mine.json"), marked(JSON.stringify({ locale: "en" })));
    await writeFile(join(cwd, "api.key"), marked(`${apiKey}\r\n`));
    const words = ["login", "test", "--config", "mine.json", "--base-url", bank.url, "--api-key-from", "api.key"];
    const input = marked(JSON.stringify(plainUser));
    expect((await run([...words, "--credentials-from", "-"], { cwd, input })).code).toBe(0);
    const password = { cwd, environment: { VENTANILLA_USERNAME: "12345" }, input: marked("gfdsa\r\n") };
    expect((await run([...words, "--password-stdin"], password)).code).toBe(0);
  });

  test("a variable of a .env file of Windows is read without its carriage return", async () => {
    const { bank, cwd } = await openConfigured("unused.json");
    const values = {
      VENTANILLA_BASE_URL: bank.url,
      VENTANILLA_API_KEY: apiKey,
      VENTANILLA_USERNAME: "12345",
      VENTANILLA_LOCALE: "es",
      VENTANILLA_REFUSALS: `folder:${join(cwd, "refused")}`,
      VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64"),
    };
    const environment = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}\r`]));
    const words = ["login", "test", "--password-stdin"];
    const { code, stderr } = await runProcess(words, { cwd, environment, input: "gfdsa\n" });
    expect([code, stderr]).toEqual([0, expect.stringContaining("Listo, ya ingresó.")]);
    expect(await readdir(cwd)).toContain("refused");
  });

  test.each<[words: string[], environment: Record<string, string>, code: number, detail: string]>([
    [["providers", "--config", "/nonexistent/config.json"], {}, 2, "--config: ENOENT"],
    [
      ["providers"],
      { VENTANILLA_BASE_URL: "http://127.0.0.1:9" },
      2,
      "apiKey: give --api-key-from, VENTANILLA_API_KEY or",
    ],
    [["providers"], { VENTANILLA_API_KEY: "k" }, 2, "baseUrl: give --base-url, VENTANILLA_BASE_URL or baseUrl in"],
    [["providers", "--session-key-in", "body"], {}, 2, "--session-key-in: must be query or header]"],
    [["providers", "--timeout", "2147484"], {}, 2, "--timeout: must be 24 days at most]"],
    [["login", "--answer-timeout", "2147484"], {}, 2, "--answer-timeout: must be 24 days at most]"],
    [
      ["providers", "--locale", "xx"],
      {},
      2,
      `--locale: must be ${locales.slice(0, -1).join(", ")} or ${locales.at(-1)}]`,
    ],
    [["diagram", "logins"], {}, 2, "FLOW: must be login or link]"],
  ])("%j with %j is refused", async (words, environment, code, detail) => {
    const stderr = expect.stringContaining(`[${detail}`);
    expect(await run(words, { environment })).toEqual({ code, stdout: "", stderr });
  });

  test("a pipe that never ends does not keep the command from ending", async () => {
    const cwd = await ownFolder();
    const pipe = join(cwd, "pipe");
    execFileSync("mkfifo", [pipe]);
    const { child, result } = await start(["providers", "--api-key-from", pipe]);
    // It opens once the command reads.
    const writer = await open(pipe, "w");
    onTestFinished(() => writer.close());
    child.kill("SIGTERM");
    expect((await result).code).toBe(143);
  });

  test("a pipe that never ends is not read after a signal", async () => {
    const program = { stdin: new PassThrough(), signal: AbortSignal.abort() };
    expect((await run(["providers", "--api-key-from", "-"], {}, program)).code).toBe(4);
  });

  test("standard input can be used for one option only", async () => {
    const { code, stderr } = await runLogin("test", plainUser, ["--password-stdin"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("[stdin: is read twice]")]);
  });
});
