import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { API_KEY, type Fault, openFaultyBank } from "../../faults/faulty-bank.ts";
import { quickFaults, slowFaults, toFailureOnce } from "../../faults/table.ts";
import { listen } from "../../servers/relay/stage.ts";
import { openReactNative } from "./runtime.ts";

const form = { provider: "test", username: "12345", password: "gfdsa" };
const line = "POST /login/";

let world: ReturnType<typeof openReactNative>;
beforeAll(() => {
  world = openReactNative();
});

/** A bank with this fault in its login, and a client of React Native's. */
async function openFaulty(fault: Fault, timeout = 20_000) {
  const bank = await openFaultyBank(fault, line);
  onTestFinished(bank.close);
  const baseUrl = `http://127.0.0.1:${bank.wire.port}`;
  return { bank, client: world.core.createBankClient({ baseUrl, apiKey: API_KEY, timeout: { login: timeout } }) };
}

test("these tests run with the globals of React Native, and none of Node", () => {
  const names = ["TextDecoder", "ReadableStream", "structuredClone", "crypto", "DOMException", "require"];
  expect(names.filter((name) => name in world)).toEqual([]);
  expect([world.URL, world.Response, world.AbortController]).not.toContain(undefined);
  expect("canParse" in world.URL).toBe(false);
  expect("body" in new world.Response("text")).toBe(false);
  expect("reason" in new world.AbortController().signal).toBe(false);
});

/** The codes that differ from other platforms, because the native side reads the whole body and unpacks it. */
const nativeCodes: Readonly<Record<string, string>> = {
  // The native side follows it, to a server that hangs up.
  "a 302 to another origin": "network_failed",
  "a 307 to another origin": "network_failed",
  "a 308 to another origin": "network_failed",
  "chunks without an end": "request_timed_out",
  "a gzip that is none": "network_failed",
  // It makes no text of them, not even with U+FFFD.
  "bytes that are not UTF-8": "outcome_unknown",
};

// The faults without a function are those of an address, which the tests of the other platforms change in a `fetch` of their own.
const rows = [...quickFaults, ...slowFaults].filter(({ play }) => typeof play === "function").map(toFailureOnce);

describe("a login ends with the same code as on other platforms, and is sent once", () => {
  test.each(rows)("$fault", async ({ fault, play, code, details, stuckAt }) => {
    const expected = nativeCodes[fault] ?? code;
    const isTimedOut = stuckAt || expected === "request_timed_out";
    const { bank, client } = await openFaulty(play, isTimedOut ? 1_000 : 20_000);
    const login = client.login(form);
    if (expected === "success") await expect(login).resolves.toMatchObject({ status: "logged_in" });
    else if (expected === "unexpected_status" || expected === "invalid_key")
      await expect(login).resolves.toMatchObject({ status: expected });
    else {
      const { detail: _, ...rest } = details;
      await expect(login).rejects.toMatchObject({ code: expected, ...(expected === code && rest) });
    }
    expect(bank.lines()).toEqual([line]);
  });
});

test("the caller's signal aborts the request, by React Native's own AbortController", async () => {
  const { bank, client } = await openFaulty(() => {});
  const controller = new world.AbortController();
  const login = client.login(form, { signal: controller.signal });
  await bank.arrived;
  controller.abort();
  await expect(login).rejects.toMatchObject({ code: "request_aborted" });
  await bank.wire.requests[0]?.hungUp;
});

test.each([302, 307])("a response that comes by HTTP %i from another origin is refused", async (status) => {
  const elsewhere = await listen((_, response) => response.end('{"status":"logged_in","key":"k"}'));
  const service = await listen((request, response) => {
    request.resume().once("end", () => response.writeHead(status, { location: elsewhere }).end());
  });
  const client = world.core.createBankClient({ baseUrl: service, apiKey: API_KEY });
  await expect(client.login(form)).rejects.toMatchObject({ code: "redirect_refused" });
});

const wrongAddresses = "bank.example /bank https:// ftp://bank.example https://me@bank.example https://bank.example/?a";
test.each(wrongAddresses.split(" "))("%s is no address for a client", (baseUrl) => {
  const create = () => world.core.createBankClient({ baseUrl, apiKey: API_KEY });
  expect(create).toThrow(expect.objectContaining({ code: "invalid_input", field: "baseUrl" }));
});
