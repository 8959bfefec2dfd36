import type { Browser, Page } from "playwright-core";
import { createCredentials, createLinkMachine, login, secret } from "ventanilla";
import { inspectLogin, recordLogin, serveViewer, type Trace } from "ventanilla/inspect";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { violationsIn } from "../browser/axe.ts";
import { closePages, openChromium } from "../browser/chromium.ts";
import { layoutFaults } from "../browser/viewer-layout.ts";
import { createSandboxClient } from "../conformance/sandbox.ts";
import { buildViewer } from "./build-viewer.ts";

const account = { provider: "test", username: "12345otp", password: "asdfg" };
let browser: Browser;
let linked: Trace;

beforeAll(async () => {
  [browser] = await Promise.all([openChromium(), buildViewer()]);
  linked = await recordedLink();
});
afterAll(() => closePages(browser));

/** A link from the choice of a bank to the destinations, with one interaction. */
async function recordedLink(): Promise<Trace> {
  const { inspect, trace } = recordLogin();
  const actor = createActor(createLinkMachine(createSandboxClient()), { input: {}, inspect }).start();
  await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
  actor.send({ type: "provider.choose", provider: "test" });
  await waitFor(actor, ({ context }) => context.login !== undefined);
  actor.send({ type: "credentials.submit", credentials: createCredentials(account) });
  await waitFor(actor, ({ context }) => context.login?.value === "awaitingInteraction");
  actor.send({ type: "interaction.answer", answer: secret("8888") });
  await waitFor(actor, ({ status }) => status === "done");
  return trace();
}

async function open(url: string, colorScheme: "light" | "dark" = "light"): Promise<Page & { complaints: string[] }> {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1400, height: 850 } });
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  return Object.assign(page, { complaints });
}

async function served(trace?: Trace): Promise<string> {
  const { url, close } = await serveViewer(trace ? { trace } : {});
  onTestFinished(close);
  return url;
}

/** The viewer with the recorded link, at its beginning or after a key. */
async function openLinked(key?: "End") {
  const page = await open(await served(linked));
  if (key) await page.keyboard.press(key);
  return page;
}

const state = (page: Page) => page.locator("#state").textContent();
const place = async (page: Page) => Number((await page.locator("#place").textContent())?.split(" ")[0]);
const lit = (page: Page, kind: "current" | "taken") =>
  page.evaluate((name) => [...document.querySelectorAll(`svg:not([hidden]) .${name}`)].map(({ id }) => id), kind);
const tree = (page: Page) =>
  page.evaluate(() => {
    type Branch = [string | null | undefined, ...unknown[]];
    const branches = (list: Element | null): Branch[] =>
      [...(list?.children ?? [])].map((item) => [
        item.querySelector("button")?.textContent,
        ...branches(item.querySelector("ul")),
      ]);
    return branches(document.querySelector("#actors"));
  });

/** The step after which a statechart has reached a state. */
const moves = ({ events }: Trace, name: string, value: unknown): number => {
  const { sessionId } = events.find((event) => event.type === "@xstate.actor" && event.name === name) ?? {};
  return (
    events.findIndex(
      (event) =>
        event.type === "@xstate.snapshot" &&
        event.sessionId === sessionId &&
        JSON.stringify(event.snapshot.value) === JSON.stringify(value),
    ) + 1
  );
};

describe("a trace", () => {
  test("begins at the first step; keys and buttons go through its steps", async () => {
    const page = await openLinked();
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
    expect(page.complaints).toEqual([]);
  });

  test("lets the arrow keys scroll a focused drawing that does not fit", async () => {
    const page = await openLinked();
    await page.setViewportSize({ width: 1000, height: 600 });
    const drawing = page.getByRole("region", { name: "Drawing of the statechart" });
    await drawing.focus();
    const before = await drawing.evaluate(({ scrollLeft }) => scrollLeft);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((before) => (document.querySelector("#drawing")?.scrollLeft ?? 0) > before, before);
    expect(await place(page)).toBe(0);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.keyboard.press("ArrowRight");
    expect(await place(page)).toBe(1);
  });

  test("highlights an arrow that joins others up to its target", async () => {
    const { inspect, trace } = recordLogin();
    const actor = createActor(createLinkMachine(createSandboxClient()), { input: {}, inspect }).start();
    await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
    actor.send({ type: "link.cancel" });
    const page = await open(await served(trace()));
    await page.keyboard.press("End");
    expect(await lit(page, "current")).toEqual(["link:cancelled"]);
    expect(await lit(page, "taken")).toContain("link:choosingProvider>cancelled");
    expect(await page.locator("svg:not([hidden]) .trunk.taken").textContent()).toContain("link.cancel");
  });

  test("shows the statechart that moved last, with its states and the arrow of its last transition", async () => {
    const page = await openLinked();
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

  test("shows the actors as a tree: the link, its login, their requests", async () => {
    const page = await openLinked("End");
    expect(await tree(page)).toEqual([
      [
        "link: linked",
        ["listProviders: done"],
        ["getProvider: done"],
        ["login: loggedIn", ["submitCredentials: done"], ["interactionDeadline: stopped"], ["submitCredentials: done"]],
        ["listDestinations: done"],
      ],
    ]);
  });

  test("shows one actor or one statechart while it is picked", async () => {
    const page = await openLinked("End");
    await page.getByRole("button", { name: "login: loggedIn" }).click();
    expect(await state(page)).toBe("login: loggedIn");
    expect(await lit(page, "current")).toEqual(["login:loggedIn"]);
    await page.getByRole("button", { name: "link", exact: true }).click();
    expect(await state(page)).toBe("link: linked");
    await page.locator("#position").fill(String(moves(linked, "login", "submitting")));
    expect(await state(page)).toBe("link: loggingIn.active");
    await page.getByRole("button", { name: "Follow the run" }).click();
    expect(await state(page)).toBe("login: submitting");
  });

  test("has a log of all steps; a click goes to one", async () => {
    const page = await openLinked();
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

  test("is played by the space bar, and stopped by it", async () => {
    const page = await open(await served({ ...linked, events: linked.events.slice(0, 6) }));
    await page.keyboard.press(" ");
    await page.waitForFunction(() => document.querySelector("#place")?.textContent?.startsWith("6 / 6"));
    const play = page.getByRole("button", { name: "Play" });
    expect(await play.getAttribute("aria-pressed")).toBe("false");
    await page.keyboard.press(" ");
    expect(await play.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press(" ");
    expect(await play.getAttribute("aria-pressed")).toBe("false");
    expect(await place(page)).toBeLessThan(6);
  });

  test("loads nothing but its own page", async () => {
    const url = await served(linked);
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(url, { waitUntil: "networkidle" });
    expect(requests.filter((each) => !each.endsWith("/favicon.ico"))).toEqual([url]);
  });

  test("can't inject markup into the page", async () => {
    const text = '</script><img src=x onerror="document.title=1"><b>';
    const [first, ...others] = linked.events;
    const trace = { ...linked, events: [{ ...first, name: text } as typeof first, ...others] } as Trace;
    const page = await open(await served(trace));
    await page.keyboard.press("End");
    expect(await page.locator("#log li").first().textContent()).toContain(`${text} starts`);
    expect(await page.title()).toBe("ventanilla viewer");
    expect(page.complaints).toEqual([]);
  });
});

describe("the layout", () => {
  test.each([
    [375, 812],
    [768, 1024],
    [1280, 800],
    [1440, 900],
    [1920, 1080],
  ])(
    "at %i × %i shows the active state and the current event, with readable labels and buttons large enough",
    async (width, height) => {
      const page = await openLinked();
      const steps: readonly (readonly [string, number])[] = [
        ["at the beginning", 0],
        ["waiting for the person", moves(linked, "login", "awaitingInteraction")],
        ["in a state within a state", moves(linked, "link", { loggingIn: "active" })],
        ["logged in", moves(linked, "login", "loggedIn")],
        ["at the end", linked.events.length],
      ];
      for (const [name, step] of steps) {
        // In a small window first, so that most of the drawing is out of view.
        await page.setViewportSize({ width: 800, height: 480 });
        await page.locator("#position").fill(String(step));
        await page.setViewportSize({ width, height });
        expect(await layoutFaults(page), name).toEqual([]);
      }
    },
  );

  test("shows the whole statechart after a click", async () => {
    const page = await openLinked("End");
    await page.setViewportSize({ width: 375, height: 812 });
    const hidden = () =>
      page
        .locator("#drawing")
        .evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
          scrollWidth - clientWidth,
          scrollHeight - clientHeight,
        ]);
    expect(Math.min(...(await hidden()))).toBeGreaterThan(0);
    const whole = page.getByRole("button", { name: "Whole chart" });
    await whole.click();
    expect(await hidden()).toEqual([0, 0]);
    await whole.click();
    expect(await whole.getAttribute("aria-pressed")).toBe("false");
    expect(await layoutFaults(page)).toEqual([]);
  });
});

describe("a file", () => {
  const choose = (page: Page, text: string) =>
    page.locator("#file").setInputFiles({ name: "run.json", mimeType: "application/json", buffer: Buffer.from(text) });

  test("can be opened without a server", async () => {
    const page = await open(new URL("../../dist/viewer/index.html", import.meta.url).href);
    expect(await page.locator("#source").textContent()).toBe("Open a trace.");
    await choose(page, JSON.stringify(linked));
    await page.locator("#source", { hasText: "Recorded" }).waitFor();
    await page.keyboard.press("End");
    expect(await state(page)).toBe("link: linked");
    // A browser tells of a file that was chosen before only where the input is empty.
    await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a trace…" }).click()]);
    expect(await page.locator("#file").inputValue()).toBe("");
    expect(page.complaints).toEqual([]);
  });

  test("that is not a trace is refused with the reason", async () => {
    const page = await open(await served());
    await choose(page, '{"format":"ventanilla-trace","version":9}');
    await page.locator("#source.wrong").waitFor();
    expect(await page.locator("#source").textContent()).toBe(
      "This is not a trace. invalid_input: trace: is not a trace: version",
    );
  });
});

describe("a run in Node", () => {
  test("can be watched, up to its end", async () => {
    const inspection = inspectLogin();
    onTestFinished(() => inspection.stop());
    const page = await open((await inspection.address).viewer);
    await page.locator("#source", { hasText: "Watching a run." }).waitFor();
    await login(createSandboxClient(), {
      ...account,
      inspect: inspection,
      onInteraction: async () => {
        await page.locator("#state", { hasText: "login: awaitingInteraction" }).waitFor();
        return "8888";
      },
    });
    await page.locator("#state", { hasText: "login: loggedIn" }).waitFor();
    inspection.stop();
    await page.locator("#source", { hasText: "The run is over." }).waitFor();
    expect(page.complaints).toEqual([]);
  });
});

test.each([
  ["light", "rgb(255, 255, 255)"],
  ["dark", "rgb(18, 23, 29)"],
] as const)(
  "in %s mode the background is %s and axe finds no violation, with a trace and without",
  async (scheme, expected) => {
    const page = await open(await served(linked), scheme);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(expected);
    expect(await violationsIn(page)).toEqual([]);
    await page.locator("#position").fill(String(moves(linked, "login", "awaitingInteraction")));
    expect(await violationsIn(page)).toEqual([]);
    expect(await violationsIn(await open(await served(), scheme))).toEqual([]);
  },
);

test("the served page needs its token, and is gone after close()", async () => {
  const { url, close } = await serveViewer();
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(new URL("/", url))).status).toBe(404);
  await close();
  await close();
  await expect(fetch(url)).rejects.toThrow();
});
