import { once } from "node:events";
import { type ElicitResult, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { promised } from "../../bank/service.ts";
import { isLogin, watchedBank } from "../../bank/watched-bank.ts";
import { createBrowser } from "../../servers/hosted/stage.ts";
import { run } from "../cli/program.ts";
import { accept, openPipes, openPipesHere, startHostHere } from "./host.ts";

const secretWord = "canary-51e0c7";

describe("what a call is refused for", () => {
  test("a handle that there is none of, and one of another host", async () => {
    const [one, other] = await Promise.all([startHostHere(), startHostHere()]);
    const { handle } = await one.call("start_bank_login", { bank: "test" });
    expect((await one.call("end_bank_session", { handle })).status).toBe("cancelled");
    for (const tool of ["read_bank_login", "list_transfer_destinations", "end_bank_session"]) {
      for (const wrong of [handle, `${handle.slice(1)}A`, "", "hosted:x"]) {
        expect(await other.call(tool, { handle: wrong })).toMatchObject({
          isError: true,
          error: "session_not_found",
          field: "handle",
        });
      }
    }
  });

  test("a session that is not there yet, no tool, an argument, which is named; no value is repeated", async () => {
    const { call, client, log } = await startHostHere();
    const { handle } = await call("start_bank_login", { bank: "test" });
    expect(await call("list_transfer_destinations", { handle })).toMatchObject({ error: "key_unavailable" });
    await expect(client.callTool({ name: secretWord })).rejects.toThrow("There is no such tool.");
    const refusals: readonly (readonly [string, object, object])[] = [
      ["start_bank_login", {}, { error: "missing_field", field: "bank" }],
      ["start_bank_login", { bank: "no_such_bank" }, { error: "provider_doesnt_exist" }],
      ["start_bank_login", { bank: secretWord.toUpperCase() }, { error: "invalid_input", field: "bank" }],
      ["start_bank_login", { bank: "test", password: secretWord }, { error: "invalid_input", field: "password" }],
      ["start_bank_login", { bank: "test", username: "" }, { error: "invalid_input", field: "username" }],
      ["list_banks", { country: secretWord }, { error: "invalid_input", field: "country" }],
      ["list_banks", { country: "U\n" }, { error: "invalid_input", field: "country" }],
      ["read_bank_login", { handle: [secretWord] }, { error: "invalid_input", field: "handle" }],
    ];
    for (const [tool, input, expected] of refusals) {
      const result = await call(tool, input);
      expect(result).toMatchObject({ isError: true, ...expected });
      expect(JSON.stringify(result).toLowerCase()).not.toContain(secretWord);
    }
    await client.close();
    expect((await log).toLowerCase()).not.toContain(secretWord);
  });
});

describe("the person", () => {
  test("who says no to the page has cancelled the login; where it can't be opened, its address is text", async () => {
    const answers = [
      (): ElicitResult => ({ action: "decline" }),
      (): ElicitResult => ({ action: "cancel" }),
      (): never => {
        throw new Error("no browser");
      },
    ];
    const { call, pages } = await startHostHere([], { elicit: () => answers[pages.length - 1]?.() ?? accept() });
    for (const index of [0, 1]) {
      expect(await call("start_bank_login", { bank: "test" })).toMatchObject({ isError: true, error: "cancelled" });
      expect((await createBrowser().open(pages[index]?.url ?? "")).text).toContain("The login was cancelled.");
    }
    const { address } = await call("start_bank_login", { bank: "test" });
    expect((await createBrowser().open(address)).status).toBe(200);
  });
});

describe("a host that cancels a call", () => {
  test("while it reads a login loses nothing", async () => {
    const { call, client } = await startHostHere();
    const { handle, address } = await call("start_bank_login", { bank: "test" });
    const controller = new AbortController();
    const reading = client.callTool(
      { name: "read_bank_login", arguments: { handle } },
      {
        signal: controller.signal,
        onprogress: () => controller.abort("enough"),
      },
    );
    await expect(reading).rejects.toThrow("enough");
    const browser = createBrowser();
    await browser.open(address);
    await browser.logIn();
    expect((await call("read_bank_login", { handle })).status).toBe("logged_in");
  });

  test("while the page is offered can repeat it, and gets the address of the same login", async () => {
    const controller = new AbortController();
    const { call, client, pages } = await startHostHere([], {
      elicit: () => {
        controller.abort("enough");
        return promised<{ action: "accept" }>().promise;
      },
    });
    const start = { name: "start_bank_login", arguments: { bank: "test" } };
    await expect(client.callTool(start, { signal: controller.signal })).rejects.toThrow("enough");
    const { handle, address } = await call(start.name, start.arguments);
    expect(pages.map(({ url }) => url)).toEqual([address]);
    const browser = createBrowser();
    await browser.open(address);
    await browser.logIn();
    expect((await call("read_bank_login", { handle })).status).toBe("logged_in");
  });
});

test("who asks for progress hears where the login is", async () => {
  const { call, client } = await startHostHere();
  const { handle, address } = await call("start_bank_login", { bank: "test" });
  const heard: (string | undefined)[] = [];
  const reading = client.callTool(
    { name: "read_bank_login", arguments: { handle } },
    {
      onprogress: ({ message }) => void heard.push(message),
    },
  );
  await expect.poll(() => heard).toContain("The page is not open yet.");
  const browser = createBrowser();
  await browser.open(address);
  await browser.readState();
  await expect.poll(() => heard).toContain("The page is open. You have not logged in yet.");
  const asked = await browser.logIn("12345otp", "asdfg");
  await expect.poll(() => heard).toContain("The bank asks you something. Answer on the page.");
  if (asked.status !== "interaction_required" || !asked.key) throw new Error(asked.status);
  const form = { provider: "test", username: "12345otp", password: "asdfg", otp: "8888" };
  await browser.client().login(form, { key: asked.key });
  expect((await reading).structuredContent).toMatchObject({ status: "logged_in" });
});

/** A bank that holds each login until it is released. */
async function holdingBank() {
  const held = promised();
  const bank = await watchedBank(async (request) => void (isLogin(request) && (await held.promise)));
  return { ...bank, release: held.keep };
}

describe("a host that goes away", () => {
  test("ends the command with 0, and cancels the logins that can't be read any more", async () => {
    const { stdin, call, events, ended, log } = await openPipesHere();
    await call("start_bank_login", { bank: "test" });
    stdin.end();
    expect(await ended).toBe(0);
    expect(events().slice(-3)).toEqual(["draining", "end", "stopped"]);
    expect(log().find(({ event }) => event === "end")).toMatchObject({ status: "cancelled" });
  });

  test("while a bank works on a login: the command waits for the response, and the bank gets nothing twice", async () => {
    const bank = await holdingBank();
    const { stdin, call, events, ended } = await openPipesHere([], bank.environment);
    const { address } = await call("start_bank_login", { bank: "test" });
    const browser = createBrowser();
    await browser.open(address);
    const reached = bank.nextLogin();
    const login = browser.logIn();
    await reached;
    stdin.end();
    await expect.poll(events).toContain("draining");
    bank.release();
    // The host has cancelled it.
    await expect(login).rejects.toMatchObject({ code: "not_signed_in" });
    expect(await ended).toBe(0);
    expect(bank.sent("username")).toEqual(["12345"]);
  });

  test("while it waits for a result: the command ends at once", async () => {
    const { stdin, call, request, ended, events } = await openPipesHere();
    const { handle } = await call("start_bank_login", { bank: "test" });
    void request("tools/call", { name: "read_bank_login", arguments: { handle } }).catch(() => undefined);
    stdin.end();
    expect(await ended).toBe(0);
    expect(events()).toContain("stopped");
  });

  test("SIGTERM ends it in the same way", async () => {
    const { stop, events } = await openPipesHere();
    expect(await stop()).toBe(0);
    expect(events().slice(-2)).toEqual(["draining", "stopped"]);
  });
});

describe("a message above the limit of 1 MiB", () => {
  const large = `${secretWord}${"x".repeat(1024 * 1024)}`;
  const params = JSON.stringify({ name: "list_banks", arguments: { search: large } });
  const inner = JSON.stringify({ id: 7, arguments: [{ id: 7 }, `,"id":7}`, large] });

  test("is answered with an error, by its own id, and the next one is read", async () => {
    const { stdin, lines, request, log, ended } = await openPipesHere();
    const rows: readonly (readonly [what: string, message: string, id?: number | string])[] = [
      ["with its id first", `{"jsonrpc":"2.0","id":901,"method":"tools/call","params":${params}}`, 901],
      [
        "with an escape in its id, which is not read",
        `{ "method": "tools/call", "id": "b\\u00fc-1", "params": ${params} }`,
      ],
      [
        "with a text as id, after its method",
        `{ "method": "tools/call" , "id" : "bü-1" , "params": ${params} }`,
        "bü-1",
      ],
      [
        "with its id last, as SDKs write it",
        `{"method":"tools/call","params":${params},"jsonrpc":"2.0","id":903}`,
        903,
      ],
      ["with a carriage return", `{"method":"tools/call","params":${params},"jsonrpc":"2.0","id":904}\r`, 904],
      ["with ids inside of it alone", `{"jsonrpc":"2.0","method":"x","params":${inner}}`],
      ["that is a response", `{"jsonrpc":"2.0","id":905,"result":${inner}}`],
      ["that is a response with its id last", `{"result":${inner},"jsonrpc":"2.0","id":906}`],
      ["that is no JSON", large],
    ];
    for (const [what, message, id] of rows) {
      const before = lines.length;
      stdin.write(`${message}\n`);
      expect((await request("tools/list", {})).result.tools).toHaveLength(5);
      const [answer = "", ...others] = lines.slice(before);
      expect(JSON.parse(answer), what).toEqual({
        jsonrpc: "2.0",
        ...(id !== undefined && { id }),
        error: { code: -32600, message: "A message can have 1048576 bytes." },
      });
      expect(() => parseJSONRPCMessage(JSON.parse(answer))).not.toThrow();
      expect(others, what).toHaveLength(1);
    }
    stdin.end();
    expect(await ended).toBe(0);
    const refused = { error: "invalid_input", field: "message", detail: "has more than 1048576 bytes" };
    expect(log().filter(({ event }) => event === "error")).toMatchObject(rows.map(() => refused));
    expect(JSON.stringify(log())).not.toContain(secretWord);
  });

  test("of 64 MiB, and two in a row, end nothing; one of exactly the limit is read", async () => {
    const { stdin, lines, request, ended } = await openPipesHere();
    const before = lines.length;
    const huge = Buffer.alloc(1024 * 1024, "x");
    for (let part = 0; part < 64; part += 1) {
      if (!stdin.write(huge)) await once(stdin, "drain");
    }
    stdin.write(`\n${large}\n`);
    const ping = `{"jsonrpc":"2.0","id":"limit","method":"ping","params":{"_meta":{"x":"`;
    stdin.write(`${ping}${"x".repeat(1024 * 1024 - ping.length - 5)}"}}}\n`);
    await request("tools/list", {});
    const answers = lines.slice(before, -1).map((line) => JSON.parse(line));
    const error = { code: -32600, message: "A message can have 1048576 bytes." };
    expect(answers).toEqual([
      { jsonrpc: "2.0", error },
      { jsonrpc: "2.0", error },
      { jsonrpc: "2.0", id: "limit", result: {} },
    ]);
    // Cut off in the middle of one.
    stdin.end(large);
    expect(await ended).toBe(0);
  });

  test("leaves the host's own call with an error", async () => {
    const { client, call } = await startHostHere();
    const big = client.callTool({ name: "list_banks", arguments: { search: large } });
    await expect(big).rejects.toMatchObject({ code: -32600 });
    expect((await call("list_banks")).isError).toBe(false);
  });
});

describe("standard output", () => {
  test("has messages and nothing else, whatever comes in, and standard error JSON lines", async () => {
    const { stdin, lines, call, request, ended, log } = await openPipes();
    stdin.write(`no JSON ${secretWord}\n{"jsonrpc":"1.0","${secretWord}":1}\n\n[]\n`);
    await request("tools/list", {});
    await call("list_banks", {});
    const { error } = await request(`no/${secretWord}`, {});
    expect(error.message).toBe("Method not found");
    stdin.end();
    expect(await ended).toBe(0);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) parseJSONRPCMessage(JSON.parse(line));
    expect(log().filter(({ event }) => event === "error")).not.toEqual([]);
    expect(JSON.stringify([lines, log()])).not.toContain(secretWord);
  });

  test("has nothing where the command can't begin", async () => {
    for (const words of [["--json"], ["--store", "folder:x"], ["--serve", "http://bank.example"], ["--port", "x"]]) {
      const { code, stdout } = await run(["mcp", ...words]);
      expect([code, stdout]).toEqual([expect.toSatisfy((one) => one > 0), ""]);
    }
  });
});

test.each([
  [["--store", "folder:x"], 2, "--port"],
  [["--store", "folder:x", "--port", "1"], 2, "--seal-key-from"],
  [["--serve", "https://login.shop.example"], 2, "VENTANILLA_SERVE_KEY"],
  [["--store", "redis://user:password@localhost"], 2, "--store"],
  [["--expires-in", "0"], 2, "--expires-in"],
])("mcp %j is refused", async (words, code, field) => {
  const ended = await run(["mcp", ...words]);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(`[${field}`);
});

test("an address of a serve without encryption is refused", async () => {
  const { code, stderr } = await run(["mcp", "--serve", "http://shop.example"], {
    environment: { VENTANILLA_SERVE_KEY: "a-serve-key-of-a-test-01" },
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining("[--serve: must be an https address")]);
});
