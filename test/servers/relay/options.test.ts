import { randomBytes } from "node:crypto";
import { BankError, createBankClient } from "ventanilla";
import { createRateLimit, createRelay, type RateLimitOptions, type RelayOptions } from "ventanilla/relay";
import { createFolderStore, createMemoryStore } from "ventanilla/tokens";
import { describe, expect, test } from "vitest";
import { WITHOUT_USERS } from "../../../src/servers/relay/relay-options.ts";
import { ANSWER, collectWarnings, form, interactionKey, PAGE, PLAIN, stage } from "./stage.ts";

const client = createBankClient({ baseUrl: "http://127.0.0.1:1", apiKey: "key" });
const KEY = randomBytes(32).toString("base64");
const usable: RelayOptions = {
  client,
  sealKey: KEY,
  allowedOrigins: [PAGE],
  onLogin: () => undefined,
  store: createMemoryStore({ rows: new Map() }),
};

/** Matches the error about this option. */
const aboutOption = (field: string) =>
  expect.toSatisfy(
    (error) => error instanceof BankError && error.code === "invalid_input" && error.field === field,
    `an error about ${field}`,
  );

const webViews = ["capacitor://localhost/", "capacitor://user@localhost", "capacitor:localhost", "file://", "file://a"];
const wrongOrigins = ["*", "null", "https://shop.example/", "shop.example", "https://SHOP.example", ...webViews];
const wrong: Readonly<Record<string, readonly unknown[]>> = {
  client: [undefined, {}],
  sealKey: ["short", [KEY, "short"]],
  onLogin: [undefined],
  allowedOrigins: [undefined, [], ...wrongOrigins.map((origin) => [origin])],
  checkAppToken: [true, null],
  readUser: [null, "ana"],
  allowedHeaders: [null, "authorization", ["*"], ["a b"], [""], [7]],
  logoHosts: [null, "cdn.example", ["https://cdn.example"], ["cdn.example/x"], ["*.example"], [""], [7]],
  path: ["bank", "/a/../b", "/a//b", "/:id", null],
  clientSelection: ["false", null],
  logout: [null],
  interactionLifetime: [0, null],
  sessionLifetime: [Number.NaN, null],
  store: [undefined, new Set(), null],
  rateLimit: [{ login: 5 }, null],
  readCaller: [null],
  onEvent: [null],
  onError: [null],
};

describe("an option with a wrong value is reported by its name, before anything is served", () => {
  test.each<[string, object]>([
    ...Object.entries(wrong).flatMap(([field, values]) =>
      values.map((value): [string, object] => [field, { [field]: value }]),
    ),
    ["allowedOrigins", { allowedOrigins: undefined, checkAppToken: () => true }],
  ])("%s %o", (field, options) => {
    expect(() => createRelay({ ...usable, ...options } as RelayOptions)).toThrow(aboutOption(field));
  });

  test.each([
    ["login", { login: 0 }],
    ["login", { login: null }],
    ["read", { read: -1 }],
    ["user", { user: null }],
    ["user", { user: 0 }],
    ["window", { window: 60_000 }],
  ])("%s %o of the rate limit", (field, options) => {
    expect(() => createRateLimit(options as RateLimitOptions)).toThrow(aboutOption(field));
  });

  test("sealKey, which only a store in memory can do without", () => {
    const options = { ...usable, store: createFolderStore("/tmp/none"), sealKey: undefined as never };
    expect(() => createRelay(options)).toThrow(aboutOption("sealKey"));
  });

  test("and its value is not repeated", () => {
    expect(() => createRelay({ ...usable, sealKey: "a seal key that is too short" })).toThrow(
      "invalid_input: sealKey: must be 32 bytes as base64 or base64url",
    );
  });
});

test("a row sealed with an old seal key is opened as long as that is in the list", async () => {
  const store = createMemoryStore({ rows: new Map() });
  const before = await stage({ sealKey: KEY, store });
  const key = await interactionKey(before);
  const newKey = randomBytes(32).toString("base64url");
  const other = await stage({ sealKey: newKey, store }, before);
  expect((await other.send("/login/", form(ANSWER), key)).status).toBe(403);
  const after = await stage({ sealKey: [newKey, KEY], store }, before);
  expect((await after.send("/login/", form(ANSWER), key)).status).toBe(200);
  expect(before.bank.requests).toHaveLength(1);
});

test("without a seal key the rows stay in the memory of the process, as they are", async () => {
  const set = await stage({ sealKey: undefined as never });
  expect((await set.send("/login/", form(ANSWER), await interactionKey(set))).status).toBe(200);
});

test.each([
  ["without readUser says once at its start what a reload loses", undefined, [`ventanilla/relay: ${WITHOUT_USERS}`]],
  ["that says that it has no users is believed", false, []],
  ["with users says nothing", () => "ana", []],
] as const)("a relay %s", async (_, readUser, said) => {
  const warnings = collectWarnings();
  const { send } = await stage({ readUser } as Partial<RelayOptions>);
  for (let times = 0; times < 2; times++) expect((await send("/login/", form(PLAIN))).status).toBe(200);
  expect(warnings).toEqual(said);
});

// A relay that ignored the first one would bind no login to its user.
test.each([
  ["readAppUser", () => "ana"],
  ["sessionKeyIn", "header"],
  ["claimStore", createMemoryStore()],
])("the option %s, which is none of a relay, is refused", (name, value) => {
  expect(() => createRelay({ ...usable, [name]: value })).toThrow(aboutOption(name));
});
