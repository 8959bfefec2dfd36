import { constants } from "node:http2";
import { describe, expect, test } from "vitest";
import type { Reply } from "../../bank/service.ts";
import { type BankPage, inEachBrowser } from "./bank-page.ts";
import type { StreamFault } from "./http2.ts";

const SUBMIT = '[data-verb="submit"]';

/** Opens the form of the test bank, filled in. */
async function openForm(
  open: (attributes: string) => Promise<BankPage>,
  username: string,
  password: string,
  isSecure = false,
) {
  const page = await open('provider="test"');
  if (isSecure) await page.goto(page.site.secureUrl);
  await page.fill("username", username);
  await page.fill("password", password);
  return page;
}

/** A login that the bank has got, and has not responded to. */
async function startLogin(page: BankPage) {
  const respond = page.site.hold();
  await page.click(SUBMIT);
  await expect.poll(() => page.site.countLogins()).toBe(1);
  return respond;
}

inEachBrowser((open, name) => {
  describe("at the bank there is one POST", () => {
    test("of a login", async () => {
      const page = await open();
      await page.fillIn("test", "12345", "gfdsa");
      await page.click(SUBMIT);
      await page.waitForState("linked");
      expect(page.site.countLogins()).toBe(1);
    });

    test("of a login, and one of its code", async () => {
      const page = await open();
      await page.fillIn("test", "12345otp", "asdfg");
      await page.click(SUBMIT);
      await page.waitForState("awaitingInteraction");
      await page.fill("otp", "8888");
      await page.click('[data-verb="answer"]', 2);
      await page.waitForState("linked");
      expect(page.site.countLogins()).toBe(2);
    });

    test.each([
      ["at once", 20],
      ["slowly", 300],
    ])("of two clicks that come %s", async (_, pause) => {
      const page = await openForm(open, "12345otp", "asdfg");
      await page.click(SUBMIT, 2, pause);
      await page.waitForState("awaitingInteraction");
      expect(page.site.countTries()).toBe(1);
      expect(page.site.countLogins()).toBe(1);
    });

    test("of a login during which the page is loaded again", async () => {
      const page = await openForm(open, "12345", "gfdsa");
      const respond = await startLogin(page);
      await page.reload();
      await page.waitForState("idle");
      respond();
      expect(await page.readValue("[name=password]")).toBe("");
      expect(page.site.countTries()).toBe(1);
      expect(page.site.countLogins()).toBe(1);
    });

    test("of a login during which the person leaves, and goes back and forward", async () => {
      const page = await openForm(open, "12345", "gfdsa");
      const respond = await startLogin(page);
      await page.leave();
      await page.traverse(-1);
      await page.traverse(1, "Elsewhere");
      await page.traverse(-1);
      respond();
      await expect.poll(() => page.readStep()).toBeTruthy();
      expect(page.site.countTries()).toBe(1);
      expect(page.site.countLogins()).toBe(1);
    });

    test("of a finished login, back and forward", async () => {
      const page = await openForm(open, "12345", "gfdsa");
      await page.click(SUBMIT);
      await page.waitForState("linked");
      await page.leave();
      await page.traverse(-1);
      await page.reload();
      await page.waitForState("idle");
      expect(page.site.countTries()).toBe(1);
      expect(page.site.countLogins()).toBe(1);
    });
  });

  // "Sent once, by platform" of docs/reliability.md.
  describe("where the browser repeats a login by itself, the bank sees one", () => {
    type Site = BankPage["site"];
    const reply = (reply: Reply) => (site: Site) => site.faults.push(reply);
    const stream = (fault: StreamFault) => (site: Site) => site.streamFaults.push(fault);

    test.each<[fault: string, strike: (site: Site) => unknown, isSecure: boolean, repeating: string[]]>([
      [
        "a kept connection that is reset",
        reply({ write: ({ socket }) => socket?.resetAndDestroy() }),
        false,
        ["Firefox", "Chromium"],
      ],
      ["HTTP 408", reply({ http: 408, text: "" }), false, ["Chromium"]],
      ["HTTP 421", reply({ http: 421, text: "" }), false, ["Firefox", "WebKitGTK", "Chromium"]],
      [
        "HTTP 408 over HTTP/2",
        stream((stream) => stream.respond({ ":status": 408 }, { endStream: true })),
        true,
        ["Firefox"],
      ],
      [
        "REFUSED_STREAM",
        stream((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM)),
        true,
        ["Firefox", "WebKitGTK", "Chromium"],
      ],
    ])("at %s", async (_, strike, isSecure, repeating) => {
      const logIn = async (times: number) => {
        const page = await openForm(open, "12345", "gfdsa", isSecure);
        for (let time = 0; time < times; time++) strike(page.site);
        await page.click(SUBMIT);
        // The page asks the relay what came of it.
        await page.waitForState("linked");
        expect(page.site.countLogins()).toBe(1);
        return page.site.countTries();
      };
      const repeats = repeating.includes(name);
      expect(await logIn(1)).toBe(repeats ? 2 : 1);
      expect((await logIn(20)) > 1).toBe(repeats);
    });
  });
});
