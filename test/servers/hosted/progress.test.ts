import type { HostedProgress } from "ventanilla/hosted";
import { expect, test } from "vitest";
import { expectedId } from "../../bank/service.ts";
import { readFailure } from "../../core/pause/paused.ts";
import { createBrowser, SHOP, stage } from "./stage.ts";

test("each step on the way to the end is told once, with the number of its submit and why it was refused", async () => {
  const steps: HostedProgress[] = [];
  const { hosted, ends } = await stage({ onProgress: (step) => void steps.push(step) });
  const { id, url } = await hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  expect(steps).toEqual([]);
  await Promise.all([browser.readState(), browser.readState()]);
  await hosted.finish();
  const same = { id, user: "42" };
  expect(steps).toEqual([{ ...same, type: "opened" }]);
  expect((await browser.logIn("12345", "wrong")).status).toBe("wrong_credentials");
  await browser.logIn("12345otp", "asdfg");
  await browser.answerAgain({ otp: "8888" });
  await hosted.finish();
  const login = expectedId;
  expect(steps.slice(1)).toEqual([
    { ...same, login, type: "refused", provider: "test", number: 1, failure: "wrong_credentials" },
    { ...same, login, type: "awaiting_interaction", provider: "test", number: 2 },
  ]);
  expect(ends).toMatchObject([{ id, status: "logged_in" }]);
  // What was typed is in none of them.
  for (const word of ["12345", 'wrong"', "asdfg", "8888", "OTP"]) expect(JSON.stringify(steps)).not.toContain(word);
});

test("a step that can't be told stops no login, and is told no more", async () => {
  let calls = 0;
  const { hosted, errors } = await stage({
    onProgress: () => {
      calls += 1;
      throw new TypeError("down");
    },
  });
  const { url } = await hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  await browser.readState();
  expect((await browser.logIn()).status).toBe("logged_in");
  await hosted.finish();
  await hosted.sweep();
  expect(calls).toBe(1);
  expect(errors).toMatchObject([{ code: "handler_failed", field: "onProgress" }]);
});

test("a login is renewed with the same user, bank, user name, language, binding and way back", async () => {
  const { hosted } = await stage();
  const options = { user: "42", username: "12345", locale: "es", returnTo: `${SHOP}/done`, bindUsername: true };
  const first = await hosted.create(options);
  const browser = createBrowser();
  await browser.open(first.url);
  await browser.logIn();
  const renewed = await hosted.renew(first.id);
  expect(renewed.id).not.toBe(first.id);
  expect(renewed.url).not.toBe(first.url);
  // The bank that the person had chosen.
  expect(await hosted.read(renewed.id)).toMatchObject({ user: "42", status: "created", provider: "test" });
  const again = createBrowser();
  const { text } = await again.open(renewed.url);
  expect(text).toContain('lang="es"');
  expect(await (await again.readState()).json()).toMatchObject({ provider: "test", username: "12345" });
  expect((await again.logIn("12345otp", "asdfg")).status).toBe("username_differs");
  expect((await again.logIn()).status).toBe("logged_in");
  expect(await readFailure(hosted.renew("0".repeat(32)))).toMatchObject({ code: "session_not_found" });
});
