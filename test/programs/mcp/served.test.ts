import { once } from "node:events";
import { secret } from "ventanilla";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createServedLogins } from "../../../src/programs/mcp/served-logins.ts";
import { type Reply, startService } from "../../bank/service.ts";
import { watchedBank } from "../../bank/watched-bank.ts";
import { createBrowser } from "../../servers/hosted/stage.ts";
import { ownFolder, parseLines, startHere } from "../cli/program.ts";
import { accept, startHostHere } from "./host.ts";

const KEY = "a-serve-key-of-a-test-01";

/** A bank, and a `ventanilla serve` before it. */
async function serve(...words: readonly string[]) {
  const bank = await watchedBank();
  const environment = { ...bank.sealingEnvironment, VENTANILLA_SERVE_KEY: KEY };
  const line = ["serve", "--port", "0", "--json", "--name", "Shop", ...words];
  const { stdout, stderr, stop } = startHere(line, environment);
  stderr.resume();
  onTestFinished(async () => void (await stop()));
  const [first] = await once(stdout, "data");
  const [{ url } = {}] = parseLines(String(first));
  return { bank, environment, url: String(url), stop };
}

describe("with a ventanilla serve", () => {
  test("its sessions are used, and its session key reaches this process alone", async () => {
    const { bank, environment, url } = await serve();
    const { call, pages, transcript, client, log } = await startHostHere(["--serve", `${url}/`], {
      environment,
      elicit: accept,
    });
    const { handle } = await call("start_bank_login", { bank: "test", username: "12345" });
    expect(pages[0]?.url).toMatch(new RegExp(`^${url}/login/`));
    const browser = createBrowser();
    expect((await browser.open(pages[0]?.url ?? "")).text).toContain("Shop");
    await browser.logIn();
    expect(await call("read_bank_login", { handle })).toMatchObject({ status: "logged_in", bank: "test" });
    expect((await call("list_transfer_destinations", { handle })).from_bank.destinations).toHaveLength(2);
    expect(await call("end_bank_session", { handle })).toMatchObject({ status: "ended" });
    expect(bank.requests.filter(({ url: path }) => path.startsWith("/logout/"))).toHaveLength(1);
    await client.close();
    const keys = bank.requests.map(({ url: path }) => /key=([^&]+)/.exec(path)?.[1]).filter((key) => key);
    expect(keys).not.toEqual([]);
    const seen = JSON.stringify(transcript) + (await log);
    for (const key of [...keys, KEY]) expect(seen).not.toContain(key);
  });

  test("that has --client-selection a person chooses a client", async () => {
    const { environment, url } = await serve("--client-selection");
    const { call } = await startHostHere(["--serve", url], { environment });
    const { handle, address } = await call("start_bank_login", { bank: "canal_pa" });
    const browser = createBrowser();
    await browser.open(address);
    await browser.chooseClient();
    expect(await call("read_bank_login", { handle })).toMatchObject({ status: "logged_in", bank: "canal_pa" });
  });

  test("a login that has not ended is cancelled there, by the tool and when the host goes away", async () => {
    const { environment, url } = await serve();
    const { call, client } = await startHostHere(["--serve", url], { environment });
    const { handle, address } = await call("start_bank_login", { bank: "test" });
    expect(await call("end_bank_session", { handle })).toMatchObject({ status: "cancelled" });
    const other = await call("start_bank_login", { bank: "test" });
    await client.close();
    for (const page of [address, other.address]) {
      const look = async () => (await createBrowser().open(page)).text;
      await expect.poll(look).toContain("The login was cancelled.");
    }
  });

  test("a handle outlives its host if there is a store, also after the key was taken", async () => {
    const { environment, url } = await serve();
    const words = ["--serve", url, "--store", `folder:${await ownFolder()}/handles`];
    const first = await startHostHere(words, { environment });
    const { handle, address } = await first.call("start_bank_login", { bank: "test" });
    const browser = createBrowser();
    await browser.open(address);
    await browser.logIn();
    expect((await first.call("list_transfer_destinations", { handle })).isError).toBe(false);
    // The first one has ended nothing, as one that was killed.
    const second = await startHostHere(words, { environment });
    expect(await second.call("read_bank_login", { handle })).toMatchObject({ status: "logged_in" });
    expect((await second.call("list_transfer_destinations", { handle })).isError).toBe(false);
  });

  test("a wrong key, and a serve that is gone, are coded results", async () => {
    const { environment, url, stop } = await serve();
    const wrong = await startHostHere(["--serve", url], {
      environment: { ...environment, VENTANILLA_SERVE_KEY: `${KEY}-other` },
    });
    expect(await wrong.call("start_bank_login", { bank: "test" })).toMatchObject({
      isError: true,
      error: "app_refused",
    });
    const right = await startHostHere(["--serve", url], { environment });
    await stop();
    expect(await right.call("start_bank_login", { bank: "test" })).toMatchObject({
      isError: true,
      error: "network_failed",
    });
  });
});

describe("a response of a serve", () => {
  const open = async (reply: Reply) => {
    const { url, requests } = await startService(() => reply);
    return { logins: createServedLogins({ url, key: secret(KEY) }), requests };
  };

  test.each<[string, Reply, string]>([
    ["of another program", { http: 200, text: "<h1>hello</h1>" }, "response_against_contract"],
    [
      "of another version",
      { json: { id: "1", user: "2", status: "sleeping", expires_at: "" } },
      "response_against_contract",
    ],
    ["that is not an error of ours", { http: 500, text: "canary-51e0c7" }, "http_failed"],
    ["that leads elsewhere", { http: 302, headers: { location: "https://other.example/" }, text: "" }, "http_failed"],
    ["that is too large", { text: `"${"x".repeat(70_000)}"` }, "response_against_contract"],
    ["with our error", { http: 429, json: { error: "rate_limited", message: "canary-51e0c7" } }, "rate_limited"],
  ])("%s is a fault without its text", async (_, reply, code) => {
    const { logins, requests } = await open(reply);
    const error = await logins.read("1").catch((thrown) => thrown);
    expect(error).toMatchObject({ code, request: "GET /sessions/{id}" });
    expect(`${error.message}${error.stack}`).not.toContain("canary");
    expect(requests).toHaveLength(1);
  });

  test("that never comes is timed out", async () => {
    const controller = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(controller.signal);
    onTestFinished(() => timeout.mockRestore());
    const { url, arrival } = await startService(() => "held");
    const arrived = arrival(1);
    const reading = createServedLogins({ url, key: secret(KEY) }).read("1");
    await arrived;
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: "request_timed_out" });
  });
});
