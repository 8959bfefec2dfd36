import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { option } from "../../../../src/programs/cli/arguments.ts";
import { serveOptions } from "../../../../src/programs/cli/serve/serve-settings.ts";
import { parseWithSettings, toSetting } from "../../../../src/programs/cli/settings/command-settings.ts";
import { checkProxy } from "../../../../src/programs/cli/settings/environment-proxy.ts";
import { readFailure } from "../../../core/pause/paused.ts";
import { ownFolder, startHere } from "../program.ts";

/** The settings of serve from each of the places. @param file the settings file's section. */
async function parse({
  words = [],
  environment = {},
  file,
}: {
  readonly words?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly file?: object;
}) {
  const path = join(await ownFolder(), "settings.json");
  if (file) await writeFile(path, JSON.stringify({ serve: file }), { mode: 0o600 });
  const stream = () => new Writable({ write: (_, __, done) => done() });
  return parseWithSettings([...words, ...(file ? ["--config", path] : [])], serveOptions, "serve", {
    stdin: Readable.from([]),
    stdout: stream(),
    stderr: stream(),
    environment: { XDG_CONFIG_HOME: "/nonexistent", ...environment },
    signal: new AbortController().signal,
    beginDraining: () => new AbortController().signal,
    endBySignal() {},
    takeWarnings() {},
  });
}

test("an option comes before its variable, that before the settings file, and that before the default", async () => {
  const [words, environment, file] = [["--port", "1"], { VENTANILLA_PORT: "2", PORT: "3" }, { port: 4 }];
  expect((await parse({ words, environment, file })).port).toBe("1");
  expect((await parse({ environment, file })).port).toBe("2");
  expect((await parse({ environment: { PORT: "3" }, file })).port).toBe("3");
  expect((await parse({ file })).port).toBe("4");
  expect((await parse({})).port).toBe("8080");
});

test("each option has a variable and a member of the settings file, but for those that can have none", async () => {
  const without = Object.keys(serveOptions).flatMap((name) => {
    const { variable, member } = toSetting(name, "serve");
    return variable && member ? [] : [name];
  });
  expect(without.sort()).toEqual(["config", "json", "service"]);
  const names = Object.keys(serveOptions).map((name) => toSetting(name, "serve"));
  expect(new Set(names.map(({ variable }) => variable)).size).toBe(names.length);
  expect(names).toContainEqual({
    option: "key-retention",
    variable: "VENTANILLA_KEY_RETENTION",
    member: "serve.keyRetention",
  });
});

test.each<[string, Parameters<typeof parse>[0], object]>([
  [
    "a flag",
    { environment: { VENTANILLA_SAVED_LOGINS: "1", VENTANILLA_ALLOW_HTTP: "no" } },
    { "saved-logins": true, "allow-http": false },
  ],
  ["a flag", { file: { savedLogins: true, logout: false } }, { "saved-logins": true, logout: false }],
  [
    "a list",
    { environment: { VENTANILLA_RETURN_TO: "https://a.example, https://b.example" } },
    { "return-to": ["https://a.example", "https://b.example"] },
  ],
  ["a list", { file: { returnTo: ["https://a.example"] } }, { "return-to": ["https://a.example"] }],
  ["an empty variable as none", { environment: { VENTANILLA_NAME: "" }, file: { name: "Shop" } }, { name: "Shop" }],
  [
    "a key before the name of its file",
    { environment: { VENTANILLA_SEAL_KEY: "x" }, file: { sealKeyFrom: "/f" } },
    { "seal-key-from": undefined },
  ],
  [
    "a store that may have a password",
    { environment: { VENTANILLA_STORE: "redis://:secret@db" }, file: { store: "folder:/x" } },
    { store: undefined },
  ],
  ["a store of the settings file", { file: { store: "folder:/x" } }, { store: "folder:/x" }],
])("%s is read: $1", async (_, places, expected) => {
  expect(await parse(places)).toMatchObject(expected);
});

test.each<[Parameters<typeof parse>[0], string]>([
  [{ environment: { VENTANILLA_LOGOUT: "perhaps" } }, "VENTANILLA_LOGOUT"],
  [{ file: { logout: "perhaps" } }, "config.serve.logout"],
  [{ file: { port: {} } }, "config.serve.port"],
  [{ file: { returnTo: "https://a.example" } }, "config.serve.returnTo"],
  [{ file: { prot: 1 } }, "config.serve.prot"],
  [{ file: { service: "/tmp/module.js" } }, "config.serve.service"],
  [{ file: { serveKey: "a-secret-that-has-no-place" } }, "config.serve.serveKey"],
])("what can't be used is named by its place, $1", async (places, field) => {
  const failure = await readFailure(parse(places));
  expect(failure).toMatchObject({ code: "invalid_input", field });
  expect(String(failure)).not.toContain("a-secret-that-has-no-place");
});

test("a choice of a variable is checked as one of the command line", async () => {
  const colours = { colour: option("colour", "A colour", { choices: ["red", "blue"] }) };
  const program = { environment: { VENTANILLA_COLOUR: "green", XDG_CONFIG_HOME: "/nonexistent" } };
  const failure = readFailure(parseWithSettings([], colours, "serve", program as never));
  expect(await failure).toMatchObject({ field: "VENTANILLA_COLOUR", detail: "must be red or blue" });
});

test("serve listens on the port that a platform names", async () => {
  const { firstLine, stop } = startHere(["serve", "--json"], { PORT: "0", VENTANILLA_NAME: "Shop" });
  onTestFinished(async () => void (await stop()));
  expect((await firstLine())["url"]).toMatch(/^http:\/\/127\.0\.0\.1:\d{4,5}$/);
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
