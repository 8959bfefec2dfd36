import { describe, expect, test } from "vitest";
import {
  CLIENT_LIMIT,
  CONTEXT_LIMIT,
  DEPTH_LIMIT,
  DETAIL_LIMIT,
  KEY_LIMIT,
  LABEL_LIMIT,
  NAME_LIMIT,
  TEXT_LIMIT,
} from "../../../src/core/api/limits.ts";
import { readFault } from "./faults.ts";
import { clientThatReads, FORM, SESSION_KEY } from "./local-bank.ts";

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

  test("leaves out a client whose id is longer than NAME_LIMIT", async () => {
    const [longest, longer] = ["x".repeat(NAME_LIMIT), "x".repeat(NAME_LIMIT + 1)];
    const most = await reads({ status: "success", clients: { [longest]: "A" } }).listClients(SESSION_KEY);
    expect(most).toMatchObject({ clients: [{ id: longest }] });
    const more = reads({ status: "success", clients: { [longest]: "A", [longer]: "B" } });
    expect(await more.listClients(SESSION_KEY)).toMatchObject({ clients: [{ id: longest }], skipped: 1 });
  });
});

describe("a response is against the contract if it has", () => {
  test.each([["a key of more than KEY_LIMIT", { status: "logged_in", key: "x".repeat(KEY_LIMIT + 1) }, "key"]])(
    "%s",
    async (_, json, field) => {
      expect(await readFault(reads(json).login(FORM))).toMatchObject({ code: "response_against_contract", field });
    },
  );

  test("more than CLIENT_LIMIT clients", async () => {
    const clients = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, id) => [id, `Client ${id}`]));
    const most = await reads({ status: "success", clients: clients(CLIENT_LIMIT) }).listClients(SESSION_KEY);
    expect("clients" in most && most.clients.length).toBe(CLIENT_LIMIT);
    const more = reads({ status: "success", clients: clients(CLIENT_LIMIT + 1) });
    expect(await readFault(more.listClients(SESSION_KEY))).toMatchObject({ field: "clients" });
  });
});

describe("the nesting of a response", () => {
  const nested = (levels: number) =>
    `{"status":"logged_out","more":${"[".repeat(levels - 1)}"[{"${"]".repeat(levels - 1)}}`;
  const lasting = (text: string) => readFault(clientThatReads({ text }).listProviders());

  test("of DEPTH_LIMIT levels is read; brackets in strings and closed ones don't count", async () => {
    const closed = `{"status":"logged_out","more":[${"[{}],".repeat(10_000)}"\\\\\\"${"[".repeat(100)}"]}`;
    for (const text of [nested(DEPTH_LIMIT), closed]) {
      expect(await clientThatReads({ text }).logout(SESSION_KEY)).toEqual({ status: "logged_out" });
    }
  });

  test.each([
    ["one level more", nested(DEPTH_LIMIT + 1)],
    ["a megabyte of brackets", "[".repeat(1_000_000)],
    ["objects behind a string with quotes", `{"a":"\\"\\\\","b":${'{"a":'.repeat(DEPTH_LIMIT)}`],
  ])("of %s is response_unreadable", async (_, text) => {
    expect((await lasting(text)).code).toBe("response_unreadable");
  });
});
