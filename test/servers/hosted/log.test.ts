import type { HostedEnd, HostedEvent, HostedProgress } from "ventanilla/hosted";
import { expect, onTestFinished, test, vi } from "vitest";
import { startService } from "../../bank/service.ts";
import { createBrowser, stage } from "./stage.ts";

test("each request of a page is an event with its session, user, caller, login and request", async () => {
  const events: HostedEvent[] = [];
  const { hosted } = await stage({ onEvent: (event) => void events.push(event), readCaller: () => "203.0.113.7" });
  const { id, url } = await hosted.create({ user: "ana & co ñ" });
  const browser = createBrowser({ "x-request-id": "4bf92f35-77b3" });
  await browser.open(url);
  await browser.logIn("12345otp", "asdfg");
  await browser.client().listProviders();
  await browser.answerAgain({ otp: "8888" });
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
  const browser = createBrowser({ "x-ventanilla-owner": "0 mallory", "x-request-id": "a text\tthat is not an id" });
  await browser.open(url);
  await browser.logIn();
  const headers = { "x-ventanilla-owner": `${"0".repeat(32)} mallory`, origin };
  await fetch(`${origin}/login/bank/other/`, { method: "POST", headers });
  expect(events).toMatchObject([{ user: "42" }, { httpStatus: 404 }]);
  expect(events[0]).not.toHaveProperty("requestId");
  expect(JSON.stringify(events)).not.toContain("mallory");
});

test("the steps and the end of a session have the id of its last login, as its requests do", async () => {
  const events: HostedEvent[] = [];
  const told: (HostedProgress | HostedEnd)[] = [];
  const { hosted } = await stage({
    onEvent: (event) => void events.push(event),
    onProgress: (step) => void told.push(step),
    onEnd: (end) => void told.push(end),
  });
  const { id, url } = await hosted.create({ user: "42" });
  expect(await hosted.read(id)).not.toHaveProperty("login");
  const browser = createBrowser();
  await browser.open(url);
  await browser.logIn("12345", "wrong");
  const first = (await hosted.read(id)).login;
  await browser.logIn("12345otp", "asdfg");
  await browser.answerAgain({ otp: "8888" });
  await hosted.finish();
  const { login } = await hosted.read(id);
  const logins = events.filter(({ route }) => route === "POST /login/").map((event) => event.id);
  expect(logins).toEqual([first, login, login]);
  expect(first).not.toBe(login);
  expect(told).toMatchObject([
    { type: "refused", login: first },
    { type: "awaiting_interaction", login },
    { status: "logged_in", login },
  ]);
});

test("a fault says of which session or of which request it is", async () => {
  const faults: object[] = [];
  const events: HostedEvent[] = [];
  const bank = await startService(() => ({ http: 500, text: "The bank is down." }));
  const { hosted } = await stage(
    {
      onError: ({ code, field }, subject) => void faults.push({ code, field, ...subject }),
      onEvent: (event) => void events.push(event),
      onEnd() {
        throw new TypeError("down");
      },
    },
    { bank },
  );
  const { id, url } = await hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  await browser.logIn().catch(() => undefined);
  await hosted.cancel(id);
  await hosted.finish();
  expect(faults).toEqual([
    { code: "outcome_unknown", id: events[0]?.id, session: id },
    { code: "handler_failed", field: "onEnd", id, session: id },
  ]);
  expect(events[0]).toMatchObject({ session: id });
});

test("a mistake of the set-up is on the console, unless a log has it", async () => {
  const said = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const reasons: unknown[] = [];
  for (const options of [{}, { onEvent: ({ reason }: HostedEvent) => void reasons.push(reason) }]) {
    const { origin } = await stage(options);
    const headers = { "x-ventanilla": "1", origin: "https://evil.example" };
    expect((await fetch(`${origin}/login/bank/provider/`, { headers })).status).toBe(403);
  }
  expect(said.mock.calls).toEqual([[expect.stringContaining("refused as origin_refused")]]);
  expect(reasons).toEqual(["origin_refused"]);
});
