import { JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { promised } from "../../bank/service.ts";
import { isLogin, watchedBank } from "../../bank/watched-bank.ts";
import { createBrowser } from "../../servers/hosted/stage.ts";
import { run } from "../cli/program.ts";
import { openPipes, startHost } from "./host.ts";

const secretWord = "canary-51e0c7";

describe("what a call is refused for", () => {
  test("a handle that there is none of, and one of another process", async () => {
    const [one, other] = await Promise.all([startHost(), startHost()]);
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

  test("a session that is not there yet", async () => {
    const { call } = await startHost();
    const { handle } = await call("start_bank_login", { bank: "test" });
    expect(await call("list_transfer_destinations", { handle })).toMatchObject({ error: "key_unavailable" });
  });

  test("an argument, which is named; no value is repeated", async () => {
    const { call, client, log } = await startHost();
    const refusals: readonly (readonly [string, object, object])[] = [
      ["start_bank_login", {}, { error: "missing_field", field: "bank" }],
      ["start_bank_login", { bank: "no_such_bank" }, { error: "provider_doesnt_exist" }],
      ["start_bank_login", { bank: secretWord.toUpperCase() }, { error: "invalid_input", field: "bank" }],
      ["start_bank_login", { bank: "test", password: secretWord }, { error: "invalid_input", field: "password" }],
      ["start_bank_login", { bank: "test", username: "" }, { error: "invalid_input", field: "username" }],
      ["list_banks", { country: secretWord }, { error: "invalid_input", field: "country" }],
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

  test("a tool that there is none of", async () => {
    const { client } = await startHost();
    await expect(client.callTool({ name: secretWord })).rejects.toThrow("There is no such tool.");
  });
});

describe("the person", () => {
  test.each(["decline", "cancel"] as const)(
    "who says %s when the page is offered has cancelled the login",
    async (action) => {
      const { call, pages } = await startHost([], { elicit: () => ({ action }) });
      expect(await call("start_bank_login", { bank: "test" })).toMatchObject({ isError: true, error: "cancelled" });
      expect((await createBrowser().open(pages[0]?.url ?? "")).text).toContain("The login was cancelled.");
    },
  );

  test("gets the address as text where the host could not open it", async () => {
    const { call } = await startHost([], {
      elicit() {
        throw new Error("no browser");
      },
    });
    const { address } = await call("start_bank_login", { bank: "test" });
    expect((await createBrowser().open(address)).status).toBe(200);
  });
});

describe("a host that cancels a call", () => {
  test("while it reads a login loses nothing", async () => {
    const { call, client } = await startHost();
    const { handle, address } = await call("start_bank_login", { bank: "test" });
    const controller = new AbortController();
    const reading = client.callTool({ name: "read_bank_login", arguments: { handle } }, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort("enough"),
    });
    await expect(reading).rejects.toThrow("enough");
    const browser = createBrowser();
    await browser.open(address);
    await browser.logIn();
    expect((await call("read_bank_login", { handle })).status).toBe("logged_in");
  });

  test("while the page is offered cancels the login, since nobody gets its handle", async () => {
    const controller = new AbortController();
    const { client, pages } = await startHost([], {
      elicit: () => {
        controller.abort("enough");
        return promised<{ action: "accept" }>().promise;
      },
    });
    const starting = client.callTool({ name: "start_bank_login", arguments: { bank: "test" } }, undefined, {
      signal: controller.signal,
    });
    await expect(starting).rejects.toThrow("enough");
    const look = async () => (await createBrowser().open(pages[0]?.url ?? "")).text;
    await expect.poll(look).toContain("The login was cancelled.");
  });
});

test("who asks for progress hears where the login is", async () => {
  const { call, client } = await startHost();
  const { handle, address } = await call("start_bank_login", { bank: "test" });
  const heard: (string | undefined)[] = [];
  const reading = client.callTool({ name: "read_bank_login", arguments: { handle } }, undefined, {
    onprogress: ({ message }) => void heard.push(message),
  });
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
  test("ends the process with 0, and cancels the logins that nobody can read any more", async () => {
    const { child, call, events, ended, log } = await openPipes();
    await call("start_bank_login", { bank: "test" });
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(events().slice(-3)).toEqual(["draining", "end", "stopped"]);
    expect(log().find(({ event }) => event === "end")).toMatchObject({ status: "cancelled" });
  });

  test("while a bank works on a login: the process waits for the response, and the bank gets nothing twice", async () => {
    const bank = await holdingBank();
    const { child, call, events, ended } = await openPipes([], bank.environment);
    const { address } = await call("start_bank_login", { bank: "test" });
    const browser = createBrowser();
    await browser.open(address);
    const reached = bank.nextLogin();
    const login = browser.logIn();
    await reached;
    child.stdin.end();
    await expect.poll(events).toContain("draining");
    bank.release();
    // The host has cancelled it.
    await expect(login).rejects.toMatchObject({ code: "not_signed_in" });
    expect(await ended).toBe(0);
    expect(bank.sent("username")).toEqual(["12345"]);
  });

  test("while it waits for a result: the process ends at once", async () => {
    const { child, call, request, ended, events } = await openPipes();
    const { handle } = await call("start_bank_login", { bank: "test" });
    void request("tools/call", { name: "read_bank_login", arguments: { handle } }).catch(() => undefined);
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(events()).toContain("stopped");
  });

  test("SIGTERM ends it in the same way", async () => {
    const { child, ended, events } = await openPipes();
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(events().slice(-2)).toEqual(["draining", "stopped"]);
  });
});

describe("standard output", () => {
  test("has messages and nothing else, whatever comes in, and standard error JSON lines", async () => {
    const { child, lines, call, request, ended, log } = await openPipes();
    child.stdin.write(`no JSON ${secretWord}\n{"jsonrpc":"1.0","${secretWord}":1}\n\n[]\n`);
    await request("tools/list", {});
    await call("list_banks", {});
    const { error } = await request(`no/${secretWord}`, {});
    expect(error.message).toBe("Method not found");
    child.stdin.end();
    await ended;
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) JSONRPCMessageSchema.parse(JSON.parse(line));
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
