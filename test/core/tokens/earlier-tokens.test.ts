import { readdir, readFile } from "node:fs/promises";
import { reveal } from "ventanilla";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import { unsealPausedLogin } from "../../../src/core/login/paused-token.ts";
import { KeyRing } from "../../../src/core/tokens/sealed-token.ts";
import { systemEnvironment } from "../../../src/servers/environment.ts";
import { createSessionIndex } from "../../../src/servers/hosted/session-index.ts";
import { createKeptRows } from "../../../src/servers/kept/kept-rows.ts";
import { openAnswer, openCredentials } from "../../../src/servers/restate/durable-seals.ts";
import { openSessionKey } from "../../../src/servers/restate/index.ts";
import { run } from "../../programs/cli/program.ts";
import earlier from "./earlier-tokens.json" with { type: "json" };

// Tokens that the code of 2026-11-27 has sealed, good until the year 9999. A change that can't open one needs a format with another number, and
// is a breaking change: docs/versions.md. Keep the old ones here as long as they are to open.

const sealKey = Buffer.alloc(32, 7).toString("base64");
const scope = { keys: sealKey, audience: "https://bank.example" };
const expiresAt = Date.parse("9999-01-01T00:00:00Z");

/** What each token holds, as it is read today. Secrets are opened. */
const readers: Readonly<Record<keyof typeof earlier, (token: string) => Promise<unknown>>> = {
  "ventanilla-login-2": async (token) => {
    const { provider, credentials, key, interaction } = (await unsealPausedLogin(token, scope)).paused;
    return [provider, openAll(credentials?.fields), reveal(key), interaction?.context];
  },
  "ventanilla-kept-1": async (token) => {
    const store = { ...createMemoryStore(), read: () => token };
    const rows = createKeptRows({ store, keys: new KeyRing(sealKey, "sealKey"), environment: systemEnvironment });
    const { door, number, holder, last, step } = (await rows.read("0".repeat(32)))?.row ?? {};
    return [door, number, holder, last?.kind, step?.key, step?.credentials, step?.interaction?.context];
  },
  "ventanilla-open-1": async (token) => {
    const settings = {
      store: { ...createMemoryStore(), read: () => token },
      url: "https://login.example/",
      retention: 1,
    };
    const index = createSessionIndex({
      ...settings,
      environment: systemEnvironment,
      keys: new KeyRing(sealKey, "sealKey"),
    });
    return (await index.findOpen("42", "test")).entry;
  },
  "ventanilla-durable-credentials-1": async (sealed) =>
    openAll((await openCredentials({ provider: "test", sealed, expiresAt }, { id: "14.a", sealKey })).fields),
  "ventanilla-durable-answer-2": async (sealed) =>
    openAll(await openAnswer({ interaction: 1, sealed }, { id: "14.a", sealKey })),
  "ventanilla-durable-session-1": async (token) => reveal(await openSessionKey(token, { id: "14.a", sealKey })),
  "ventanilla-session-1": async (token) => {
    // The command says what became of it: fetch refuses port 9, so nothing is sent.
    const environment = {
      VENTANILLA_SESSION_KEY: token,
      VENTANILLA_SEAL_KEY: sealKey,
      VENTANILLA_API_KEY: "an-api-key",
    };
    const words = ["destinations", "--base-url", "http://127.0.0.1:9", "--json"];
    return JSON.parse((await run(words, { environment })).stdout).code;
  },
};

const openAll = (secrets: object | undefined) =>
  Object.fromEntries(Object.entries(secrets ?? {}).map(([name, value]) => [name, reveal(value)]));

test.each<[keyof typeof earlier, unknown]>([
  ["ventanilla-login-2", ["test", { username: "12345otp", password: "asdfg" }, "key-1", "OTP required"]],
  [
    "ventanilla-kept-1",
    [
      { user: "42", url: "https://login.example/", provider: "test" },
      2,
      "h",
      "answer",
      "key-1",
      { username: "ana", password: "1234" },
      "Code",
    ],
  ],
  ["ventanilla-open-1", { id: "0".repeat(32), token: "a-token" }],
  ["ventanilla-durable-credentials-1", { username: "ana", password: "s3creto" }],
  ["ventanilla-durable-answer-2", { otp: "8888" }],
  ["ventanilla-durable-session-1", "key-1"],
  ["ventanilla-session-1", "network_failed"],
])("a token of the format %s that was sealed earlier opens", async (format, content) => {
  expect(await readers[format](earlier[format])).toEqual(content);
});

test("each format has such a token, and docs/versions.md names it", async () => {
  const root = new URL("../../../", import.meta.url);
  const files = await readdir(new URL("src", root), { recursive: true });
  const sources = files
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFile(new URL(`src/${name}`, root), "utf8"));
  const called = (await Promise.all(sources)).flatMap((text) => [
    ...text.matchAll(/createTokenFormat\(\s*("[^"]*")?/g),
  ]);
  // The definition itself has a type parameter.
  const formats = called.map(([, name = ""]) => name.slice(1, -1)).sort();
  expect(formats).toEqual(Object.keys(earlier).sort());
  const page = await readFile(new URL("docs/versions.md", root), "utf8");
  expect([...page.matchAll(/^\| `(ventanilla-[\w-]+)`/gm)].map(([, name]) => name).sort()).toEqual(formats);
});
