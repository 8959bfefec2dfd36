import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { watchedBank } from "./bank.ts";
import { ownFolder, parseLines, plainUser, run, runLogin, start } from "./program.ts";

const SANDBOX_SAID = /No service is set .* uses the embedded sandbox/;

describe("providers", () => {
  test("without any setting lists the embedded sandbox's banks, and says so", async () => {
    const { code, stdout, stderr } = await run(["providers"]);
    expect(code).toBe(0);
    expect(stdout).toContain("test ");
    expect(stdout.trim().split("\n")).toHaveLength(17);
    expect(stderr).toMatch(SANDBOX_SAID);
  });

  test("--country and --search narrow the list", async () => {
    const { stdout } = await run(["providers", "--country", "br", "--search", "ipe"]);
    expect(stdout).toBe("ipe_br  BR  Banco Ipê\n");
  });

  test("--json prints one object per line and nothing else", async () => {
    const result = await run(["providers", "--country", "MX", "--json"]);
    expect(parseLines(result)).toEqual([{ code: "quetzal_mx", country: "MX", name: expect.any(String) }]);
  });

  test("a list that nothing fits is empty, and that is no failure", async () => {
    const { code, stdout, stderr } = await run(["providers", "--search", "no such bank"]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("Nothing found.");
  });

  test("a reader that leaves early ends it quietly", async () => {
    const running = await start(["providers"]);
    running.child.stdout?.destroy();
    expect((await running.result).code).toBe(141);
  });
});

describe("fields", () => {
  test("shows what a bank asks, in the person's language", async () => {
    const { code, stdout } = await run(["fields", "canal_pa"], { environment: { LANG: "es_PA.UTF-8" } });
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(1)).toEqual([
      "  username  Usuario",
      "  password  Contraseña",
      "  company_code  Código de empresa",
      "  token  Token  (opcional, se pide después)",
      "",
    ]);
  });

  test("--json has a line for each field, with its choices", async () => {
    const fields = parseLines(await run(["fields", "ceibo_ar", "--json"]));
    expect(fields.map(({ name }) => name)).toEqual(["username", "password", "type", "token"]);
    expect(fields[2]).toMatchObject({ type: "choice", interactive: false, optional: false });
    expect(fields[2]?.["choices"]).toEqual([
      { name: "pers", label_en: "Personal", label_es: "Personal" },
      { name: "corp", label_en: "Company", label_es: "Empresa" },
    ]);
  });

  test.each([
    [["providers"], "GET", "/provider/"],
    [["fields", "test"], "GET", "/provider/{code}/"],
    [["login", "test", "--credentials-from", "-"], "POST", "/login/"],
  ])(
    "a fault of %j says the HTTP status and the address to the developer, in brackets",
    async (words, method, path) => {
      const isFailing = (seen: { method: string }) => seen.method === method;
      const bank = await watchedBank({
        respond: (seen) => (isFailing(seen) ? { text: "", http: 500 } : undefined),
      });
      const input = JSON.stringify(plainUser);
      const { code, stderr } = await run(words, { environment: bank.environment, input });
      expect(code).toBe(71);
      expect(stderr).toContain(
        `The service reported an error without saying which. [the service answered with HTTP 500 (${method} ${bank.url}${path})]\n`,
      );
    },
  );
});

describe("settings", () => {
  test("a flag goes before the environment, and that before a config file", async () => {
    const [first, second, third] = [await watchedBank(), await watchedBank(), await watchedBank()];
    const cwd = await ownFolder();
    const config = { baseUrl: third.url, apiKey: "sandbox-api-key", locale: "pt" };
    await writeFile(join(cwd, "ventanilla.config.json"), JSON.stringify(config), { mode: 0o600 });
    await run(["providers", "--base-url", first.url], { cwd, environment: second.environment });
    await run(["providers"], { cwd, environment: second.environment });
    const { stderr } = await run(["providers", "--search", "nothing"], { cwd });
    expect([first, second, third].map(({ seen }) => seen.length)).toEqual([1, 1, 1]);
    expect(stderr).toBe("Nada encontrado.\n");
  });

  test("a config file is found in the user's configuration folder as well", async () => {
    const bank = await watchedBank();
    const home = await ownFolder();
    await mkdir(join(home, "ventanilla"));
    const config = JSON.stringify({ baseUrl: bank.url, apiKey: "sandbox-api-key" });
    await writeFile(join(home, "ventanilla/config.json"), config, { mode: 0o600 });
    expect((await run(["providers"], { cwd: home, environment: { XDG_CONFIG_HOME: home } })).stderr).toBe("");
    expect(bank.seen).toHaveLength(1);
  });

  test("a config file with an API key that others can read is used with a warning", async () => {
    const bank = await watchedBank();
    const cwd = await ownFolder();
    const config = JSON.stringify({ baseUrl: bank.url, apiKey: "sandbox-api-key" });
    await writeFile(join(cwd, "ventanilla.config.json"), config, { mode: 0o644 });
    const { code, stderr } = await run(["providers"], { cwd });
    expect(code).toBe(0);
    expect(stderr).toBe(
      "Others on this machine can read this file, which holds secrets (chmod 600 helps): ventanilla.config.json\n",
    );
  });

  test.each([
    ['{"baseURL":"http://127.0.0.1"}', "config.baseURL: is not known here"],
    ['{"locale":"fr"}', 'config.locale: must be ("en" | "es" | "pt")'],
    ['{"timeout":{"logins":1}}', "config.timeout.logins: is not known here"],
    ["{", "config: is no JSON"],
  ])("the config file %s is refused, naming what is wrong", async (content, detail) => {
    const cwd = await ownFolder();
    await writeFile(join(cwd, "other.json"), content, { mode: 0o600 });
    const { code, stderr } = await run(["providers", "--config", "other.json"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`invalid_input: A value can't be used as it is. [${detail}]`);
  });

  test("a config file that is named and is not there is said so", async () => {
    const { code, stderr } = await run(["providers", "--config", "/nonexistent/config.json"]);
    expect([code, stderr]).toEqual([6, "file_unusable: A file can't be used. [--config: ENOENT]\n"]);
  });

  test.each([
    [
      { VENTANILLA_BASE_URL: "http://127.0.0.1:9" },
      "[apiKey: give --api-key-from, VENTANILLA_API_KEY or apiKey in the config file]",
    ],
    [{ VENTANILLA_API_KEY: "k" }, "[baseUrl: give --base-url, VENTANILLA_BASE_URL or baseUrl in the config file]"],
  ])("an address and an API key come together: %j", async (environment, named) => {
    const { code, stderr } = await run(["providers"], { environment });
    expect(code).toBe(3);
    expect(stderr).toContain(named);
  });

  test("a byte-order mark, which editors and shells of Windows put first, is no part of what is read", async () => {
    const bank = await watchedBank();
    const cwd = await ownFolder();
    const marked = (text: string) => `\uFEFF${text}`;
    await writeFile(join(cwd, "mine.json"), marked(JSON.stringify({ locale: "en" })));
    await writeFile(join(cwd, "api.key"), marked("sandbox-api-key\r\n"));
    const words = ["login", "test", "--config", "mine.json", "--base-url", bank.url, "--api-key-from", "api.key"];
    const credentials = JSON.stringify(plainUser);
    const whole = await run([...words, "--credentials-from", "-"], { cwd, input: marked(credentials) });
    expect([whole.code, whole.stderr]).toEqual([0, expect.stringContaining("logged_in")]);
    const environment = { VENTANILLA_USERNAME: "12345" };
    const password = await run([...words, "--password-stdin"], { cwd, environment, input: marked("gfdsa\r\n") });
    expect([password.code, password.stderr]).toEqual([0, expect.stringContaining("logged_in")]);
  });

  test.each([
    [["providers", "--session-key-in", "body"], "--session-key-in: must be query or header"],
    [["providers", "--locale", "fr"], "--locale: must be en, es or pt"],
    [["diagram", "logins"], "FLOW: must be login or link"],
  ])("a value that is none of the choices is refused: %j", async (words, said) => {
    const { code, stderr } = await run(words);
    expect([code, stderr]).toEqual([2, `invalid_input: A value can't be used as it is. [${said}]\n`]);
  });

  test("standard input is read once", async () => {
    const { code, stderr } = await runLogin("test", plainUser, ["--password-stdin"]);
    expect([code, stderr]).toEqual([6, expect.stringContaining("[stdin: is read twice]")]);
  });

  test("an API key comes from a file or from standard input", async () => {
    const bank = await watchedBank();
    const words = ["providers", "--base-url", bank.url, "--api-key-from", "-"];
    expect((await run(words, { input: "sandbox-api-key\n" })).code).toBe(0);
    expect((await run(words, { input: "another\n" })).code).toBe(38);
  });
});
