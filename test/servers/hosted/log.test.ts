import type { HostedEvent } from "ventanilla/hosted";
import { expect, test } from "vitest";
import { createBrowser, stage } from "./stage.ts";

test("each request of a page is an event with its session, user, caller, login and request", async () => {
  const events: HostedEvent[] = [];
  const { hosted } = await stage({ onEvent: (event) => void events.push(event), readCaller: () => "203.0.113.7" });
  const { id, url } = await hosted.create({ user: "ana & co ñ" });
  const browser = createBrowser({ "x-request-id": "4bf92f35-77b3" });
  await browser.open(url);
  await browser.logIn("12345otp", "asdfg");
  await browser.client().listProviders();
  await browser.answer((await browser.resume())?.question?.key ?? "", { otp: "8888" });
  const same = { session: id, user: "ana & co ñ", caller: "203.0.113.7", requestId: "4bf92f35-77b3" };
  expect(events).toMatchObject([
    { ...same, route: "POST /login/", status: "interaction_required" },
    // Anybody's: `requestId` joins it to the page's request.
    { requestId: same.requestId, caller: same.caller, route: "GET /provider/", status: "success" },
    { ...same, route: "POST /login/", status: "logged_in" },
  ]);
  expect(events[0]?.id).toBe(events[2]?.id);
});

test("a browser can't say in the log who it is", async () => {
  const events: HostedEvent[] = [];
  const { hosted, origin } = await stage({ onEvent: (event) => void events.push(event) });
  const { url } = await hosted.create({ user: "42" });
  const browser = createBrowser({ "x-ventanilla-owner": "0 mallory", "x-request-id": "a text\tthat is no id" });
  await browser.open(url);
  await browser.logIn();
  const headers = { "x-ventanilla-owner": `${"0".repeat(32)} mallory`, origin };
  await fetch(`${origin}/login/bank/other/`, { method: "POST", headers });
  expect(events).toMatchObject([{ user: "42" }, { httpStatus: 404 }]);
  expect(events[0]).not.toHaveProperty("requestId");
  expect(JSON.stringify(events)).not.toContain("mallory");
});
