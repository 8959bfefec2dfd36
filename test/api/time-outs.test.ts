import { type BankClient, TimeoutError } from "ventanilla";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { deaf, patient, stopTheClock } from "./clock.ts";
import { readFault } from "./faults.ts";
import { bankThatSays, createClient, FORM, SESSION_KEY, serveResponses, silence } from "./server.ts";

afterEach(() => vi.useRealTimers());

/** How long a call takes to break, on a clock that only moves by this. */
async function timeUntilFault(call: Promise<unknown>) {
  const start = Date.now();
  let ended: number | undefined;
  const fault = readFault(call).finally(() => {
    ended = Date.now();
  });
  await vi.advanceTimersByTimeAsync(200_000);
  return { error: await fault, after: (ended ?? Number.NaN) - start };
}

const reads: [string, (client: BankClient) => Promise<unknown>][] = [
  ["GET /provider/", (client) => client.listProviders()],
  ["GET /provider/{code}/", (client) => client.getProvider("test")],
  ["GET /transfer/destinations", (client) => client.listTransferDestinations(SESSION_KEY)],
  ["GET /client/", (client) => client.listClients(SESSION_KEY)],
  ["GET /client/{id}/", (client) => client.selectClient(SESSION_KEY, "0")],
  ["GET /logout/", (client) => client.logout(SESSION_KEY)],
];

describe.each([
  ["that listens to its signal", patient],
  ["that does not", deaf],
])("with a fetch %s", (_, fetch) => {
  test("a login is given up after 90 s", async () => {
    stopTheClock();
    const { error, after } = await timeUntilFault(createClient("https://bank.example", { fetch }).login(FORM));
    expect(after).toBe(90_000);
    expect(error).toBeInstanceOf(TimeoutError);
    const detail = "no response within 90000 ms";
    expect(error).toMatchObject({ code: "request_timed_out", request: "POST /login/", detail });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(reads)("%s is given up after 15 s", async (request, call) => {
    stopTheClock();
    const { error, after } = await timeUntilFault(call(createClient("https://bank.example", { fetch })));
    expect(after).toBe(15_000);
    expect(error).toMatchObject({ code: "request_timed_out", request, detail: "no response within 15000 ms" });
  });

  test("the client's time-outs and the call's take the place of the defaults", async () => {
    stopTheClock();
    const client = createClient("https://bank.example", { fetch, timeout: { login: 7000, read: 3000 } });
    expect((await timeUntilFault(client.login(FORM))).after).toBe(7000);
    expect((await timeUntilFault(client.listProviders())).after).toBe(3000);
    expect((await timeUntilFault(client.login(FORM, { timeout: 11 }))).after).toBe(11);
    expect((await timeUntilFault(client.listProviders({ timeout: 12 }))).after).toBe(12);
    const onlyLogin = createClient("https://bank.example", { fetch, timeout: { login: 7000 } });
    expect((await timeUntilFault(onlyLogin.listProviders())).after).toBe(15_000);
  });
});

test.each([0, -1, Number.NaN, 2 ** 31])("a call's time-out of %d is refused, and nothing is sent", async (timeout) => {
  const { client, requests } = await bankThatSays({ json: {} });
  const expected = { code: "invalid_input", field: "timeout" };
  await expect(client.listProviders({ timeout })).rejects.toMatchObject(expected);
  await expect(client.login(FORM, { timeout })).rejects.toMatchObject(expected);
  expect(requests).toEqual([]);
});

describe("a deadline", () => {
  test("that is no date is refused by name, and nothing is sent", async () => {
    const { url, requests } = await serveResponses(silence);
    await expect(createClient(url).login(FORM, { deadline: Number.NaN })).rejects.toMatchObject({
      code: "invalid_input",
      field: "deadline",
    });
    expect(requests).toEqual([]);
  });

  test("that has passed sends nothing", async () => {
    const { client, requests } = await bankThatSays({ json: {} });
    for (const deadline of [0, Date.now() - 1]) {
      const error = await readFault(client.login(FORM, { deadline }));
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error.detail).toBe("the deadline had passed");
      await expect(client.listProviders({ deadline })).rejects.toMatchObject({ code: "request_timed_out" });
    }
    expect(requests).toEqual([]);
  });

  test("that is this very moment has passed", async () => {
    stopTheClock();
    const error = await readFault(
      createClient("https://bank.example", { fetch: deaf }).login(FORM, { deadline: Date.now() }),
    );
    expect(error.detail).toBe("the deadline had passed");
  });

  test("that comes before the time-out ends the call, and later than it does not prolong it", async () => {
    stopTheClock();
    const client = createClient("https://bank.example", { fetch: deaf });
    const early = await timeUntilFault(client.login(FORM, { deadline: Date.now() + 500 }));
    expect([early.after, early.error.detail]).toEqual([500, "no response within 500 ms"]);
    const late = await timeUntilFault(client.login(FORM, { deadline: Date.now() + 500_000 }));
    expect(late.after).toBe(90_000);
  });

  test("that is not given never comes", async () => {
    stopTheClock();
    const client = createClient("https://bank.example", { fetch: deaf });
    expect((await timeUntilFault(client.login(FORM, { deadline: undefined }))).after).toBe(90_000);
  });
});

test("a response within the time-out leaves no timer behind", async () => {
  stopTheClock();
  const fetch = async () => Response.json({ status: "success", providers: [] });
  await createClient("https://bank.example", { fetch }).listProviders();
  expect(vi.getTimerCount()).toBe(0);
});

test("a time-out is told as one where a signal keeps no reason, as in React Native", async () => {
  const { url } = await serveResponses(silence);
  const abort = AbortController.prototype.abort;
  vi.stubGlobal(
    "AbortController",
    class extends AbortController {
      override abort() {
        abort.call(this);
        Object.defineProperty(this.signal, "reason", { value: undefined });
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  expect((await readFault(createClient(url, { timeout: { login: 20 } }).login(FORM))).code).toBe("request_timed_out");
});
