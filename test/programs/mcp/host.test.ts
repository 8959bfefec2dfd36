import { type ElicitResult, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { promised } from "../../bank/service.ts";
import { holdingBank } from "../../bank/watched-bank.ts";
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

test("a message above the limit of the SDK ends the connection, and the command", async () => {
  const { stdin, log, ended } = await openPipesHere();
  stdin.write(Buffer.alloc(11 * 1024 * 1024, secretWord));
  expect(await ended).toBe(0);
  expect(log().map(({ event }) => event)).toEqual(["error", "draining", "stopped"]);
  expect(JSON.stringify(log())).not.toContain(secretWord);
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
