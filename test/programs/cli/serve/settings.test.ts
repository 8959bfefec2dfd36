import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseArguments } from "../../../../src/programs/cli/command-line.ts";
import { serveOptions } from "../../../../src/programs/cli/serve/serve-settings.ts";
import { checkProxy } from "../../../../src/programs/cli/settings/environment-proxy.ts";
import { ownFolder, run, startHere } from "../program.ts";

/** The settings of serve by its two ways. */
const parse = (words: readonly string[], environment: Readonly<Record<string, string>>) =>
  parseArguments(words, serveOptions, environment);

test("an option comes before its variable, and that before the default", () => {
  const [words, environment] = [["--proxies", "2"], { VENTANILLA_PROXIES: "3" }];
  expect(parse(words, environment).proxies).toBe("2");
  expect(parse([], environment).proxies).toBe("3");
  expect(parse([], { VENTANILLA_PROXIES: "" }).proxies).toBe("1");
});

test.each<[string, Readonly<Record<string, string>>, object]>([
  ["a flag", { VENTANILLA_SAVED_LOGINS: "1", VENTANILLA_LOGOUT: "yes" }, { "saved-logins": true, logout: true }],
  [
    "a flag that is off",
    { VENTANILLA_ALLOW_HTTP: "false", VENTANILLA_LOGOUT: "0" },
    { "allow-http": false, logout: false },
  ],
  [
    "a list",
    { VENTANILLA_RETURN_TO: "https://a.example, https://b.example" },
    { "return-to": ["https://a.example", "https://b.example"] },
  ],
  ["an empty variable as none", { VENTANILLA_NAME: "" }, { name: undefined }],
  ["a store that may have a password elsewhere", { VENTANILLA_STORE: "redis://:secret@db" }, { store: undefined }],
])("%s is read: $1", (_, environment, expected) => {
  expect(parse([], environment)).toMatchObject(expected);
});

test("an option that is given several times takes the place of the list in its variable", () => {
  const words = ["--return-to", "https://a.example", "--return-to", "https://b.example"];
  expect(parse(words, { VENTANILLA_RETURN_TO: "https://c.example" })["return-to"]).toEqual([
    "https://a.example",
    "https://b.example",
  ]);
});

test.each([
  [{ VENTANILLA_LOGOUT: "perhaps" }, "VENTANILLA_LOGOUT", "must be true or false"],
  [{ VENTANILLA_SESSION_KEY_IN: "body" }, "--session-key-in", "must be query or header"],
])("what can't be used is refused by name: $1", (environment, field, detail) => {
  expect(() => parse([], environment as Record<string, string>)).toThrow(`invalid_input: ${field}: ${detail}`);
});

test("serve reads no config file, not even that of the person", async () => {
  const folder = await ownFolder();
  await mkdir(join(folder, "ventanilla"));
  await writeFile(join(folder, "ventanilla/config.json"), "no JSON", { mode: 0o600 });
  const { firstLine, stop } = startHere(["serve", "--json", "--port", "0"], { XDG_CONFIG_HOME: folder });
  onTestFinished(async () => void (await stop()));
  expect(await firstLine()).toMatchObject({ state: "listening" });
  expect(await run(["serve", "--config", join(folder, "ventanilla/config.json")])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is no option --config."),
  });
});

test("serve listens on the port that a platform names", async () => {
  const { firstLine, stop } = startHere(["serve", "--json"], { PORT: "0", VENTANILLA_NAME: "Shop" });
  onTestFinished(async () => void (await stop()));
  expect((await firstLine())["url"]).toMatch(/^http:\/\/127\.0\.0\.1:\d{4,5}$/);
});

test("serve names the two ways of what is missing, and no config file", async () => {
  const { code, stderr } = await run(["serve", "--base-url", "https://bank.example"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("[apiKey: give --api-key-from or VENTANILLA_API_KEY]")]);
});

const BANK = "https://api.bank.example";
const PROXY = { HTTPS_PROXY: "http://proxy.example:3128" };

test.each<[boolean, string, Readonly<Record<string, string>>]>([
  [true, BANK, PROXY],
  [true, BANK, { https_proxy: "http://proxy.example:3128" }],
  [true, "http://api.bank.example", { HTTP_PROXY: "http://proxy.example:3128" }],
  [true, BANK, { ...PROXY, NO_PROXY: "bank.example.org,pi.bank.example,other" }],
  [false, BANK, {}],
  [false, BANK, { HTTPS_PROXY: "" }],
  [false, BANK, { HTTP_PROXY: "http://proxy.example:3128" }],
  [false, BANK, { ...PROXY, NO_PROXY: "localhost, .bank.example" }],
  [false, BANK, { ...PROXY, no_proxy: "API.bank.example:443" }],
  [false, BANK, { ...PROXY, NO_PROXY: "*" }],
  [false, "https://127.0.0.1:8443", PROXY],
])("a way around a proxy is refused: $0, $1 $2", (isRefused, address, environment) => {
  const check = () => checkProxy(address, environment);
  if (isRefused) expect(check).toThrow(/^invalid_setup: \w+: this Node does not use it/i);
  else expect(check).not.toThrow();
});
