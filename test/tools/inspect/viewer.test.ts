import type { Page } from "playwright-core";
import { createLinkMachine, login } from "ventanilla";
import { inspectLogin, inspectRecording, type Trace } from "ventanilla/inspect";
import { describe, expect } from "vitest";
import { createActor, waitFor } from "xstate";
import { serveViewer } from "../../../src/tools/inspect/server/viewer-server.ts";
import { createSandboxClient } from "../../conformance/sandbox.ts";
import { account, linked, moves, test, testColours } from "./viewer-page.ts";

const state = (page: Page) => page.locator("#state").textContent();
const place = async (page: Page) => Number((await page.locator("#place").textContent())?.split(" ")[0]);
const lit = (page: Page, kind: "current" | "taken" | "passed") =>
  page.evaluate((name) => [...document.querySelectorAll(`svg:not([hidden]) .${name}`)].map(({ id }) => id), kind);

describe("a trace", () => {
  test("opens at its end, with the path that it has taken", async ({ openLarge, serve }) => {
    const { page } = await openLarge(await serve(linked));
    expect(await place(page)).toBe(linked.events.length);
    const path = await lit(page, "passed");
    expect(path).toContain("link:loadingProviders>choosingProvider");
    expect(path).toContain("link:loadingDestinations>linked");
    await page.keyboard.press("Home");
    expect(await lit(page, "passed")).toEqual([]);
  });

  test("has keys and buttons that go through its steps", async ({ page, viewer }) => {
    const last = linked.events.length;
    const press = (key: string) => page.keyboard.press(key);
    const click = (name: string) => page.getByRole("button", { name }).click();
    for (const [go, ...names] of [
      [press, "ArrowRight", "End", "ArrowLeft", "Home", "ArrowLeft"],
      [click, "Next step", "Last step", "Previous step", "First step", "Previous step"],
    ] as const) {
      const places = [await place(page)];
      for (const name of names) {
        await go(name);
        places.push(await place(page));
      }
      expect(places).toEqual([0, 1, last, last - 1, 0, 0]);
      expect(await lit(page, "current")).toEqual([]);
    }
    expect(viewer.consoleErrors).toEqual([]);
  });

  test("lets the arrow keys scroll a focused drawing that does not fit", async ({ page }) => {
    await page.setViewportSize({ width: 1000, height: 600 });
    const drawing = page.getByRole("region", { name: "Drawing of the statechart" });
    await drawing.focus();
    await drawing.evaluate((box) => box.scrollTo({ left: 0, behavior: "instant" }));
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => (document.querySelector("#drawing")?.scrollLeft ?? 0) > 0);
    expect(await place(page)).toBe(0);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.keyboard.press("ArrowRight");
    expect(await place(page)).toBe(1);
  });

  test("highlights an arrow that joins others up to its target", async ({ openLarge, serve }) => {
    const { inspect, trace } = inspectRecording();
    const actor = createActor(createLinkMachine(createSandboxClient()), { input: {}, inspect }).start();
    await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
    actor.send({ type: "link.cancel" });
    const { page } = await openLarge(await serve(trace()));
    await page.keyboard.press("End");
    expect(await lit(page, "current")).toEqual(["link:cancelled"]);
    expect(await lit(page, "taken")).toContain("link:choosingProvider>cancelled");
    expect(await page.locator("svg:not([hidden]) .trunk.taken").textContent()).toContain("link.cancel");
  });

  test("shows the statechart that moved last, with its states and the arrow of its last transition", async ({
    page,
  }) => {
    for (const [step, shown, current, taken] of [
      [
        moves(linked, "login", "awaitingInteraction"),
        "login: awaitingInteraction",
        ["login:awaitingInteraction"],
        ["login:submitting>awaitingInteraction"],
      ],
      [
        moves(linked, "link", { loggingIn: "active" }),
        "link: loggingIn.active",
        ["link:loggingIn", "link:loggingIn.active"],
      ],
      [linked.events.length, "link: linked", ["link:linked"], ["link:loadingDestinations>linked"]],
    ] as const) {
      await page.locator("#position").fill(String(step));
      expect(await state(page)).toBe(shown);
      expect(await lit(page, "current")).toEqual(current);
      if (taken) expect(await lit(page, "taken")).toEqual(taken);
    }
  });

  test("shows the actors as a tree: the link, its login, their requests", async ({ page }) => {
    await page.keyboard.press("End");
    const readNames = (list: string) => page.locator(`${list} > li > button`).allTextContents();
    expect(await readNames("#actors")).toEqual(["link: linked"]);
    const children = ["listProviders: done", "getProvider: done", "login: loggedIn", "listDestinations: done"];
    expect(await readNames("#actors > li > ul")).toEqual(children);
    const requests = [
      "checkFields: done",
      "submitCredentials: done",
      "interactionDeadline: stopped",
      "awaitApproval: stopped",
      "submitAnswer: done",
    ];
    expect(await readNames("#actors > li > ul > li:nth-child(3) > ul")).toEqual(requests);
  });

  test("shows one actor or one statechart while it is picked", async ({ page }) => {
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "login: loggedIn" }).click();
    expect(await state(page)).toBe("login: loggedIn");
    expect(await lit(page, "current")).toEqual(["login:loggedIn"]);
    await page.getByRole("button", { name: "link", exact: true }).click();
    expect(await state(page)).toBe("link: linked");
    await page.locator("#position").fill(String(moves(linked, "login", { submitting: "checkingFields" })));
    expect(await state(page)).toBe("link: loggingIn.active");
    await page.getByRole("button", { name: "Follow the run" }).click();
    expect(await state(page)).toBe("login: submitting.checkingFields");
  });

  test("has a log of all steps; a click goes to one", async ({ page }) => {
    const rows = page.locator("#log li");
    expect(await rows.count()).toBe(linked.events.length);
    const row = rows.filter({ hasText: "link receives provider.choose (provider: test)" });
    await row.click();
    expect(await row.getAttribute("aria-current")).toBe("step");
    const step = linked.events.findIndex(
      (event) => event.type === "@xstate.event" && event.event.type === "provider.choose",
    );
    expect(await place(page)).toBe(step + 1);
  });

  test("loads nothing but its own page", async ({ open, serve }) => {
    const url = await serve(linked);
    const { page } = await open("about:blank");
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(url, { waitUntil: "networkidle" });
    expect(requests.filter((each) => !each.endsWith("/favicon.ico"))).toEqual([url]);
  });

  test("can't inject markup into the page", async ({ openLarge, serve }) => {
    const text = '</script><img src=x onerror="document.title=1"><b>';
    const [first, ...others] = linked.events;
    const trace = { ...linked, events: [{ ...first, name: text } as typeof first, ...others] } as Trace;
    const { page, consoleErrors } = await openLarge(await serve(trace));
    await page.keyboard.press("End");
    expect(await page.locator("#log li").first().textContent()).toContain(`${text} starts`);
    expect(await page.title()).toBe("ventanilla viewer");
    expect(consoleErrors).toEqual([]);
  });
});

describe("a file", () => {
  const choose = (page: Page, text: string) =>
    page.locator("#file").setInputFiles({ name: "run.json", mimeType: "application/json", buffer: Buffer.from(text) });

  test("can be opened without a server", async ({ open }) => {
    const { page, consoleErrors } = await open(new URL("../../../dist/viewer/index.html", import.meta.url).href);
    expect(await page.locator("#source").textContent()).toBe("Open a trace.");
    await choose(page, JSON.stringify(linked));
    await page.locator("#source", { hasText: "Recorded" }).waitFor();
    await page.keyboard.press("End");
    expect(await state(page)).toBe("link: linked");
    // A browser tells of a file that was chosen before only where the input is empty.
    await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a trace…" }).click()]);
    expect(await page.locator("#file").inputValue()).toBe("");
    expect(consoleErrors).toEqual([]);
  });

  test("that is not a trace is refused with the reason", async ({ open, serve }) => {
    const { page } = await open(await serve());
    await choose(page, '{"format":"ventanilla-trace","version":9}');
    await page.locator("#source.wrong").waitFor();
    expect(await page.locator("#source").textContent()).toBe(
      "This is not a trace. invalid_input: trace: is not a trace: version",
    );
  });
});

test("a run in Node can be watched, up to its end", async ({ open, onTestFinished }) => {
  const inspection = inspectLogin();
  onTestFinished(() => inspection.stop());
  const { page, consoleErrors } = await open((await inspection.address).viewer);
  await page.locator("#source", { hasText: "Watching a run." }).waitFor();
  await login(createSandboxClient(), account, {
    inspect: inspection,
    onInteraction: async () => {
      await page.locator("#state", { hasText: "login: awaitingInteraction" }).waitFor();
      return "8888";
    },
  });
  await page.locator("#state", { hasText: "login: loggedIn" }).waitFor();
  inspection.stop();
  await page.locator("#source", { hasText: "The run is over." }).waitFor();
  expect(consoleErrors).toEqual([]);
});

// The dark scheme and the sizes of windows are in viewer.full.ts.
testColours("light", "rgb(255, 255, 255)");

test("the served page needs its token, and is gone after close()", async () => {
  const { url, close } = await serveViewer();
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(new URL("/", url))).status).toBe(404);
  await close();
  await close();
  await expect(fetch(url)).rejects.toThrow();
});
