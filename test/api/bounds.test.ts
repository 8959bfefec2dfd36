import { describe, expect, test, vi } from "vitest";
import { Echoes } from "../../src/api/echo.ts";
import type { WireResponse } from "../../src/api/exchange.ts";
import { createFingerprints } from "../../src/api/fingerprint.ts";
import { readJson } from "../../src/api/json.ts";
import {
  CLIENT_LIMIT,
  CONTEXT_LIMIT,
  DEPTH_LIMIT,
  DETAIL_LIMIT,
  KEY_LIMIT,
  LABEL_LIMIT,
  NAME_LIMIT,
  PART_SIZE,
  TEXT_LIMIT,
} from "../../src/api/limits.ts";
import { parseEntries } from "../../src/api/parse-response.ts";
import { transferDestination } from "../../src/api/schemas.ts";
import { readFault } from "./faults.ts";
import { clientThatReads, FORM, SESSION_KEY } from "./server.ts";

const long = "word ".repeat(2_000);
const reads = (json: unknown) => clientThatReads({ json });

describe("limits of long texts", () => {
  test("cuts the context of an interaction at CONTEXT_LIMIT", async () => {
    const client = reads({ status: "interaction_required", key: "k", field: "otp", context: long });
    const response = await client.login(FORM);
    expect(response).toMatchObject({ context: `${long.slice(0, CONTEXT_LIMIT - 1)}…` });
  });

  test.each([
    ["status", NAME_LIMIT],
    ["code", NAME_LIMIT],
    ["type", NAME_LIMIT],
    ["message", TEXT_LIMIT],
    ["description", TEXT_LIMIT],
  ])("cuts the %s of a refusal at its limit", async (member, limit) => {
    const client = reads({ status: "error", [member]: long });
    expect(await client.login(FORM)).toMatchObject({ wire: { [member]: `${long.slice(0, limit - 1)}…` } });
  });

  test.each([
    ["texts", Array.from({ length: 5_000 }, () => "some text")],
    ["numbers", Array.from({ length: 30_000 }, (_, number) => number)],
    ["members", Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`member ${number}`, number]))],
    ["one long name", { [long]: 1 }],
  ])("limits a description of %s", async (_, description) => {
    const response = await reads({ status: "error", code: "B1011", description }).login(FORM);
    expect(response.status).toBe("user_blocked");
    expect(response).toMatchObject({
      wire: { description: `${JSON.stringify(description).slice(0, TEXT_LIMIT - 1)}…` },
    });
  });

  test("cuts the names in lists at LABEL_LIMIT", async () => {
    const name = `${long.slice(0, LABEL_LIMIT - 1)}…`;
    const providers = reads({ status: "success", providers: [{ code: "a", country: "UY", name: long }] });
    expect(await providers.listProviders()).toMatchObject({ providers: [{ name }] });
    const clients = reads({ status: "success", clients: { 0: long } });
    expect(await clients.listClients(SESSION_KEY)).toMatchObject({ clients: [{ id: "0", name }] });
    const destinations = reads({ status: "success", destinations: [{ id: 1, name: long }] });
    expect(await destinations.listTransferDestinations(SESSION_KEY)).toMatchObject({ destinations: [{ name }] });
  });

  test("cuts the message of an error that contains the name of a member", async () => {
    const client = reads({ status: "success", clients: { [long]: 7 } });
    const error = await readFault(client.listClients(SESSION_KEY));
    expect(error.code).toBe("response_against_contract");
    expect(error.message.length).toBeLessThan(2 * DETAIL_LIMIT);
  });
});

describe("a response is against the contract if it has", () => {
  test.each([
    [
      "a field name of more than NAME_LIMIT",
      { status: "interaction_required", key: "k", field: "x".repeat(NAME_LIMIT + 1) },
      "field",
    ],
    ["a key of more than KEY_LIMIT", { status: "logged_in", key: "x".repeat(KEY_LIMIT + 1) }, "key"],
  ])("%s", async (_, json, field) => {
    expect(await readFault(reads(json).login(FORM))).toMatchObject({ code: "response_against_contract", field });
  });

  test("a client's id of more than NAME_LIMIT", async () => {
    const [longest, longer] = ["x".repeat(NAME_LIMIT), "x".repeat(NAME_LIMIT + 1)];
    const most = await reads({ status: "success", clients: { [longest]: "A" } }).listClients(SESSION_KEY);
    expect(most).toMatchObject({ clients: [{ id: longest }] });
    const more = reads({ status: "success", clients: { [longest]: "A", [longer]: "B" } });
    expect(await readFault(more.listClients(SESSION_KEY))).toMatchObject({ field: "clients" });
  });

  test("more than CLIENT_LIMIT clients", async () => {
    const clients = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, id) => [id, `Client ${id}`]));
    const most = await reads({ status: "success", clients: clients(CLIENT_LIMIT) }).listClients(SESSION_KEY);
    expect("clients" in most && most.clients.length).toBe(CLIENT_LIMIT);
    const more = reads({ status: "success", clients: clients(CLIENT_LIMIT + 1) });
    expect(await readFault(more.listClients(SESSION_KEY))).toMatchObject({ field: "clients" });
  });
});

test("a text that is cut in the middle of an echo shows no part of the echo", async () => {
  for (let before = TEXT_LIMIT - FORM.password.length - 2; before <= TEXT_LIMIT; before++) {
    const echoes = new Echoes(createFingerprints(FORM.password, true));
    const text = echoes.clear(`${"x".repeat(before)} ${FORM.password} and more`);
    expect(text).not.toContain(FORM.password.slice(0, 4));
    expect(text.length).toBeLessThanOrEqual(TEXT_LIMIT);
  }
});

test("a masked echo before the cut brings no part of a later echo in", () => {
  const echoes = new Echoes([
    ...createFingerprints("a longer secret of forty characters, yes", true),
    ...createFingerprints("hunter-2-hunter", true),
  ]);
  const text = echoes.clear(`${"a longer secret of forty characters, yes ".repeat(4)}hunter-2-hunter`, 170);
  expect(text).not.toContain("hunt");
});

test.each([
  [4, false],
  [5, true],
])("while a list with %d texts of 100,000 characters is read, other tasks run: %s", async (length, isTurn) => {
  const list = Array.from({ length }, (_, id) => ({ id, name: "", more: "x".repeat(100_000) }));
  const other = vi.fn();
  setTimeout(other);
  await parseEntries("destinations", list, transferDestination, { echoes: new Echoes([]) } as WireResponse);
  expect(other).toHaveBeenCalledTimes(Number(isTurn));
});

describe("readJson", () => {
  const banks = Array.from({ length: 2_000 }, (_, n) => ({
    code: `b,${n}"]}`,
    name: `\\B[{"${n}`,
    more: [n, { n: [] }],
  }));

  test.each([
    ["a list at the end", { status: "success", providers: banks }],
    ["a list at the beginning", { providers: banks, status: "success", after: { a: [1] } }],
    ["a list under an odd name", { '"\\,[': banks, status: "success" }],
    ["a list of lists", { status: "success", destinations: Array.from({ length: 6_000 }, (_, n) => [n, [n]]) }],
    ["an empty list", { status: "success", providers: [] }],
  ])("reads %s in parts, with the same result as JSON.parse", async (_, value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const read = await readJson(text);
      // Compared as text: vitest takes minutes to print the difference of two such objects.
      expect(JSON.stringify(read) === JSON.stringify({ value })).toBe(true);
    }
  });

  test.each([
    ["without its end", (text: string) => text.slice(0, -2)],
    ["with a comma too many", (text: string) => text.replace("]}", ",]}")],
    ["with two commas", (text: string) => text.replaceAll("},{", "},,{")],
    ["with another bracket at its end", (text: string) => text.replace(/\]\}$/, "}}")],
  ])("refuses a long list %s", async (_, wrong) => {
    const numbers = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    expect(await readJson(wrong(JSON.stringify({ status: "success", numbers })))).toBe("unreadable");
  });

  const nested = (levels: number, inmost: string) =>
    `${'[{"a":'.repeat(levels / 2)}${inmost}${"}]".repeat(levels / 2)}`;

  test("keeps DEPTH_LIMIT levels, and replaces what is below", async () => {
    const [deep, shallow] = [nested(DEPTH_LIMIT, '[{"]":"\\"]}"},{}]'), nested(DEPTH_LIMIT, '"[unreadable]"')];
    expect(await readJson(`[${deep.slice(1)}`)).toEqual({ value: JSON.parse(shallow) });
    expect(await readJson(shallow)).toEqual({ value: JSON.parse(shallow) });
    expect(await readJson(deep.slice(0, -1))).toBe("unreadable");
  });

  test("refuses a long list with a comma too many, wherever a part ends", async () => {
    for (let length = PART_SIZE - 3; length <= PART_SIZE + 3; length++) {
      expect(await readJson(`{"status":"success","numbers":[${"1,".repeat(length)}]}`)).toBe("unreadable");
    }
  });

  test.each([
    [
      "a long list below the second level",
      JSON.stringify({ status: "success", more: { numbers: Array.from({ length: 20_000 }, () => 0) } }),
    ],
    ["members of one object", JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, n])))],
    [
      "two long lists",
      JSON.stringify({ one: Array.from({ length: 20_000 }, () => 0), two: Array.from({ length: 20_000 }, () => 0) }),
    ],
  ])("refuses more values than VALUE_LIMIT outside of one long list: %s", async (_, text) => {
    expect(await readJson(text)).toBe("too many values");
  });

  test("makes the client report response_too_large for too many values", async () => {
    const client = reads({ status: "error", description: { numbers: Array.from({ length: 30_000 }, () => 0) } });
    expect(await readFault(client.login(FORM))).toMatchObject({
      code: "response_too_large",
      detail: "too many values",
    });
  });
});
