import { describe, expect, test } from "vitest";
import { Echoes } from "../../src/api/echo.ts";
import { createFingerprints } from "../../src/api/fingerprint.ts";
import { readJson } from "../../src/api/json.ts";
import {
  CLIENT_LIMIT,
  CONTEXT_LIMIT,
  DETAIL_LIMIT,
  KEY_LIMIT,
  LABEL_LIMIT,
  NAME_LIMIT,
  PART_SIZE,
  TEXT_LIMIT,
} from "../../src/api/limits.ts";
import { readFault } from "./faults.ts";
import { clientThatReads, FORM, SESSION_KEY } from "./server.ts";

const long = "word ".repeat(100_000);
const says = (json: unknown) => clientThatReads({ json });

describe("of a text without an end is taken no more than", () => {
  test("a question's length", async () => {
    const client = says({ status: "interaction_required", key: "k", field: "otp", context: long });
    const response = await client.login(FORM);
    expect(response).toMatchObject({ context: `${long.slice(0, CONTEXT_LIMIT - 1)}…` });
  });

  test.each([
    ["status", NAME_LIMIT],
    ["code", NAME_LIMIT],
    ["type", NAME_LIMIT],
    ["message", TEXT_LIMIT],
    ["description", TEXT_LIMIT],
  ])("a refusal's length, in its %s", async (member, limit) => {
    const client = says({ status: "error", [member]: long });
    expect(await client.login(FORM)).toMatchObject({ wire: { [member]: `${long.slice(0, limit - 1)}…` } });
  });

  test.each([
    ["texts", Array.from({ length: 5_000 }, () => "some text")],
    ["numbers", Array.from({ length: 300_000 }, (_, number) => number)],
    ["members", Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`member ${number}`, number]))],
    ["one long name", { [long]: 1 }],
  ])("a description's length, of %s", async (_, description) => {
    const response = await says({ status: "error", code: "B1011", description }).login(FORM);
    expect(response.status).toBe("user_blocked");
    expect(JSON.stringify(response).length).toBeLessThan(2 * TEXT_LIMIT);
  });

  test("a name's length, in lists", async () => {
    const name = `${long.slice(0, LABEL_LIMIT - 1)}…`;
    const providers = says({ status: "success", providers: [{ code: "a", country: "UY", name: long }] });
    expect(await providers.listProviders()).toMatchObject({ providers: [{ name }] });
    const clients = says({ status: "success", clients: { 0: long } });
    expect(await clients.listClients(SESSION_KEY)).toMatchObject({ clients: [{ id: "0", name }] });
    const destinations = says({ status: "success", destinations: [{ id: 1, name: long }] });
    expect(await destinations.listTransferDestinations(SESSION_KEY)).toMatchObject({ destinations: [{ name }] });
  });

  test("an error's length, where a member's name is told", async () => {
    const client = says({ status: "success", clients: { [long]: 7 } });
    const error = await readFault(client.listClients(SESSION_KEY));
    expect(error.code).toBe("response_against_contract");
    expect(error.message.length).toBeLessThan(2 * DETAIL_LIMIT);
  });
});

describe("what can't be cut is against the contract where it is too long:", () => {
  test.each([
    ["a field's name", { status: "interaction_required", key: "k", field: "x".repeat(NAME_LIMIT + 1) }, "field"],
    ["a key", { status: "logged_in", key: "x".repeat(KEY_LIMIT + 1) }, "key"],
  ])("%s", async (_, json, field) => {
    expect(await readFault(says(json).login(FORM))).toMatchObject({ code: "response_against_contract", field });
  });

  test("a list of clients", async () => {
    const clients = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, id) => [id, `Client ${id}`]));
    const most = await says({ status: "success", clients: clients(CLIENT_LIMIT) }).listClients(SESSION_KEY);
    expect("clients" in most && most.clients.length).toBe(CLIENT_LIMIT);
    const more = says({ status: "success", clients: clients(CLIENT_LIMIT + 1) });
    expect(await readFault(more.listClients(SESSION_KEY))).toMatchObject({ field: "clients" });
  });
});

test("a text that is cut in the middle of an echo shows no half of it", async () => {
  for (let before = TEXT_LIMIT - FORM.password.length - 2; before <= TEXT_LIMIT; before++) {
    const echoes = new Echoes(createFingerprints(FORM.password, true));
    const text = echoes.clear(`${"x".repeat(before)} ${FORM.password} and more`);
    expect(text).not.toContain(FORM.password.slice(0, 4));
    expect(text.length).toBeLessThanOrEqual(TEXT_LIMIT);
  }
});

test("echoes that come before the end of what is taken bring no half of a later one in", () => {
  const echoes = new Echoes([
    ...createFingerprints("a longer secret of forty characters, yes", true),
    ...createFingerprints("hunter-2-hunter", true),
  ]);
  const text = echoes.clear(`${"a longer secret of forty characters, yes ".repeat(4)}hunter-2-hunter`, 170);
  expect(text).not.toContain("hunt");
});

test.each(["HUNTER-ÑANDÚ", "hunter-ñandú", "Hunter-Ñandú"])("an echo in another case is one: %s", (echo) => {
  expect(new Echoes(createFingerprints("Hunter-ñandú", true)).clear(`no: ${echo}!`)).toBe("no: [secret]!");
});

describe("JSON is read in parts, and comes to the same", () => {
  const banks = Array.from({ length: 5_000 }, (_, n) => ({
    code: `b,${n}"]}`,
    name: `\\B[{"${n}`,
    more: [n, { n: [] }],
  }));

  test.each([
    ["a list at the end", { status: "success", providers: banks }],
    ["a list at the beginning", { providers: banks, status: "success", after: { a: [1] } }],
    ["a list under an odd name", { '"\\,[': banks, status: "success" }],
    ["a list of lists", { status: "success", destinations: Array.from({ length: 9_000 }, (_, n) => [n, [n]]) }],
    ["nothing long", { status: "success", providers: [] }],
  ])("%s", async (_, value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const read = await readJson(text);
      // Compared as text: a difference would be shown for minutes.
      expect(JSON.stringify(read) === JSON.stringify({ value })).toBe(true);
    }
  });

  test.each([
    ["without its end", (text: string) => text.slice(0, -2)],
    ["with a comma too many", (text: string) => text.replace("]}", ",]}")],
    ["with two commas", (text: string) => text.replaceAll("},{", "},,{")],
    ["with another bracket at its end", (text: string) => text.replace(/\]\}$/, "}}")],
  ])("a long list %s is none", async (_, wrong) => {
    const numbers = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    expect(await readJson(wrong(JSON.stringify({ status: "success", numbers })))).toBe("unreadable");
  });

  test("a long list with a comma too many is none, wherever it is cut", async () => {
    for (let length = PART_SIZE - 3; length <= PART_SIZE + 3; length++) {
      expect(await readJson(`{"status":"success","numbers":[${"1,".repeat(length)}]}`)).toBe("unreadable");
    }
  });

  test.each([
    [
      "lists in lists",
      JSON.stringify({ status: "success", more: { numbers: Array.from({ length: 20_000 }, () => 0) } }),
    ],
    ["members", JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, n])))],
    [
      "two long lists",
      JSON.stringify({ one: Array.from({ length: 20_000 }, () => 0), two: Array.from({ length: 20_000 }, () => 0) }),
    ],
  ])("more values than are read at once are too many: %s", async (_, text) => {
    expect(await readJson(text)).toBe("too many values");
  });

  test("too many values are told as too large", async () => {
    const client = says({ status: "error", description: { numbers: Array.from({ length: 30_000 }, () => 0) } });
    expect(await readFault(client.login(FORM))).toMatchObject({
      code: "response_too_large",
      detail: "too many values",
    });
  });
});
