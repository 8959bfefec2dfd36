import { describe, expect, test } from "vitest";
import { createBrowser, stage } from "./stage.ts";

type Browser = ReturnType<typeof createBrowser>;

/** What a person does at the address, and what the back end is told of where that was. */
const people: readonly (readonly [string, object, (browser: Browser, url: string) => Promise<unknown>])[] = [
  ["before the address was opened", { lastStep: "created" }, async () => {}],
  [
    "before the form was sent",
    { lastStep: "opened" },
    async (browser, url) => {
      await browser.open(url);
      await browser.readState();
    },
  ],
  [
    "at a question",
    { lastStep: "awaiting_interaction" },
    async (browser, url) => {
      await browser.open(url);
      await browser.logIn("12345otp", "asdfg");
    },
  ],
  [
    "at the choice of a client",
    { lastStep: "awaiting_interaction" },
    async (browser, url) => {
      await browser.open(url);
      const form = { provider: "canal_pa", username: "newkey", password: "s3creto", company_code: "7701" };
      await browser.client().login(form);
    },
  ],
  [
    "after a failure",
    { lastStep: "refused", failure: "wrong_credentials" },
    async (browser, url) => {
      await browser.open(url);
      await browser.logIn("12345", "wrong");
    },
  ],
  [
    "after a question that was answered wrong",
    { lastStep: "refused", failure: expect.any(String) },
    async (browser, url) => {
      await browser.open(url);
      await browser.logIn("12345otp", "asdfg");
      await browser.answerAgain({ otp: "0000" });
    },
  ],
];

describe("where a person has left is told", () => {
  test.each(people)("%s, after a cancel: $1", async (_, told, visit) => {
    const { hosted, ends } = await stage({ clientSelection: true });
    const { id, url } = await hosted.create({ user: "42" });
    await visit(createBrowser(), url);
    expect(await hosted.read(id)).not.toHaveProperty("lastStep");
    await hosted.cancel(id);
    await hosted.finish();
    expect(ends).toMatchObject([{ id, status: "cancelled", ...told }]);
    expect(await hosted.read(id)).toMatchObject({ status: "cancelled", ...told });
  });

  test("in no other end", async () => {
    const { hosted, ends } = await stage();
    const { url } = await hosted.create({ user: "42" });
    const browser = createBrowser();
    await browser.open(url);
    await browser.logIn("12345", "wrong");
    await browser.logIn();
    await hosted.finish();
    expect(ends).toMatchObject([{ status: "logged_in" }]);
    expect(ends[0]).not.toHaveProperty("lastStep");
    expect(ends[0]).not.toHaveProperty("failure");
  });
});
