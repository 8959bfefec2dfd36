import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { watchedBank } from "../../../bank/watched-bank.ts";
import { createBrowser } from "../../../servers/hosted/stage.ts";
import { ownFolder, parseLines, startHere } from "../program.ts";

/** Starts `ventanilla link` in this process, and opens its address in a browser. */
async function openLink(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const program = startHere(["link", "--json", ...words], environment);
  onTestFinished(async () => void (await program.stop()));
  let written = "";
  program.stdout.on("data", (part) => {
    written += part;
  });
  const line = await program.firstLine();
  const url = String(line["url"]);
  const browser = createBrowser();
  const end = async () => {
    const code = await program.ended;
    return { code, line: parseLines(written).at(-1) };
  };
  return { line, url, browser, end, stop: program.stop };
}

describe("link", () => {
  test("prints an address of this machine, waits, and prints the key as login does", async () => {
    const { environment } = await watchedBank();
    const { line, url, browser, end } = await openLink(["--print-key"], environment);
    expect(line).toEqual({
      state: "listening",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/login\/[\w-]{43}$/),
    });
    expect((await browser.open(url)).status).toBe(200);
    expect((await browser.logIn()).status).toBe("logged_in");
    // The page loads once more, and says that it is done.
    expect((await browser.open(url)).text).toContain("Banco de prueba is connected");
    expect(await end()).toEqual({ code: 0, line: { state: "logged_in", provider: "test", key: expect.any(String) } });
  });

  test("with a bank and a user name asks for the rest, and writes the key to a file", async () => {
    const file = join(await ownFolder(), "session.key");
    const { environment } = await watchedBank();
    const own = { ...environment, VENTANILLA_USERNAME: "12345" };
    const { url, browser, end } = await openLink(["--provider", "test", "--key-to", file], own);
    await browser.open(url);
    expect(await (await browser.readState()).json()).toMatchObject({ provider: "test", username: "12345" });
    await browser.logIn();
    await browser.open(url);
    expect(await end()).toEqual({ code: 0, line: { state: "logged_in", provider: "test" } });
    expect(await readFile(file, "utf8")).toMatch(/^\S+\n$/);
  });

  test("with --client-selection lets the person choose a client", async () => {
    const { url, browser, end } = await openLink(["--client-selection"]);
    expect((await browser.open(url)).text).toContain(" client-selection");
    await browser.chooseClient();
    await browser.open(url);
    expect(await end()).toMatchObject({ code: 0, line: { state: "logged_in", provider: "canal_pa" } });
  });

  test("ends with the failure of a bank after which nothing can be tried", async () => {
    const { url, browser, end } = await openLink(["--provider", "faro_uy"]);
    await browser.open(url);
    await browser.logIn("blocked", "s3creto", "faro_uy");
    await browser.open(url);
    expect(await end()).toMatchObject({
      code: 6,
      line: { state: "failed", code: "user_blocked", provider: "faro_uy" },
    });
  });

  test("ends as cancelled if the person cancels, and as expired if no one comes", async () => {
    const cancelled = await openLink([]);
    await cancelled.browser.open(cancelled.url);
    await cancelled.browser.logIn("12345", "wrong");
    await cancelled.browser.close();
    await cancelled.browser.open(cancelled.url);
    expect(await cancelled.end()).toMatchObject({ code: 4, line: { state: "cancelled" } });
    const expired = await openLink(["--expires-in", "0.1"]);
    expect(await expired.end()).toMatchObject({ code: 4, line: { state: "failed", code: "expired" } });
  });

  test("is cancelled by a signal, which ends it", async () => {
    const { url, browser, end, stop } = await openLink([]);
    await browser.open(url);
    void stop();
    expect(await end()).toMatchObject({ code: 143, line: { state: "cancelled" } });
  });
});
