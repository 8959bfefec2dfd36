import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { beforeAll, describe, expect } from "vitest";
import { relayFor } from "../../docs/examples/element/server.ts";
import { type ScreenPage, test } from "./screen-page.ts";
import { serveSite, strictPolicy } from "./site.ts";
import { buildPages, serveForDevelopment, setUpServer } from "./vite.ts";

const policy = `${strictPolicy}; script-src 'self'; style-src 'self'`;

let folder: string;
beforeAll(async () => {
  folder = await buildPages("element", "docs/examples/element");
});
const findFile = (path: string) => join(folder, path);

async function logIn(screen: ScreenPage): Promise<void> {
  await screen.logIn("test", "12345otp", "asdfg");
  await screen.answer("8888");
  await screen.waitForStep("linked");
}

describe("<bank-login> at a relay", () => {
  const sessions: string[] = [];
  /** The bodies that the relay sends to the page. */
  const bodies: string[] = [];
  const site = setUpServer(() =>
    serveSite(findFile, policy, (origin) => {
      const relay = relayFor(origin, (session) => sessions.push(session));
      return async (request) => {
        const response = await relay(request);
        bodies.push(await response.clone().text());
        return response;
      };
    }),
  );

  test("logs in under a strict content security policy, and sends requests to the relay alone", async ({ open }) => {
    bodies.length = 0;
    const { url } = site();
    const screen = await open("about:blank");
    const { page, consoleErrors } = screen;
    const sent: { url: string; headers: Record<string, string> }[] = [];
    page.on("request", (request) => sent.push({ url: request.url(), headers: request.headers() }));
    await page.goto(url);
    await logIn(screen);
    expect(consoleErrors).toEqual([]);
    expect(sent.filter((request) => new URL(request.url).origin !== url)).toEqual([]);
    expect(sent.filter(({ headers }) => "x-api-key" in headers)).toEqual([]);
    expect(sessions).toEqual(["test [secret]"]);
    // The page gets sealed keys. The service's own keys are UUIDs.
    expect(bodies.filter((body) => body.includes('"key"'))).toHaveLength(2);
    expect(bodies.join("\n")).not.toMatch(/"key":"[0-9a-f]{8}-?[0-9a-f]{4}/);
    await page.getByText("Session at test.").waitFor();
  });

  test("shows a bank's picture under the same policy", async ({ open }) => {
    const screen = await open(site().url);
    await screen.logIn("mirador_gt", "captcha", "s3creto");
    const image = screen.page.getByRole("img", { name: "Picture from your bank" });
    expect(await image.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(230);
    expect(screen.consoleErrors).toEqual([]);
  });

  test("the page's scripts contain no API key and no sandbox", async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".js"));
    const scripts = (await Promise.all(names.map((name) => readFile(findFile(name), "utf8")))).join("\n");
    expect(scripts).toContain("bank-login");
    expect(scripts).not.toContain(SANDBOX_API_KEY);
    expect(scripts).not.toContain("Institución de prueba");
  });
});

describe("the example", () => {
  const development = setUpServer(() => serveForDevelopment("element", "docs/examples/element"));

  test("starts with one command: page, relay and sandbox", async ({ open }) => {
    const screen = await open(development().url);
    await logIn(screen);
    expect(screen.consoleErrors.filter((text) => !text.startsWith("Lit is in dev mode"))).toEqual([]);
  });
});

/** The members of every form, and other names that could break a page. A control hides the member of its form that has its name. */
const listDangerousNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const names: string[] = [];
    for (let object: object | null = HTMLFormElement.prototype; object; object = Object.getPrototypeOf(object)) {
      names.push(...Object.getOwnPropertyNames(object));
    }
    return [...new Set([...names, "children", "then", "handleEvent", "_$litPart$", "0", "a b", "ñ"])];
  });

const field = (name: string, interactive = false, type = "text") => ({
  name,
  type,
  interactive,
  optional: false,
  label_en: `The field ${name}`,
});

/** Types its own name into each empty field. @returns the ids of the passwords that were not empty. */
const fillIn = (page: Page) =>
  page.locator("form").evaluate((form) => {
    const inputs = [...(form.getRootNode() as ShadowRoot).querySelectorAll("input")];
    const kept = inputs.filter(({ type, value }) => type === "password" && value !== "").map(({ id }) => id);
    for (const input of inputs) input.value ||= `typed into ${decodeURIComponent(input.id.slice("field-".length))}`;
    return kept;
  });

describe("fields with the names of a form's members", () => {
  let names: string[];
  const posts: [string, string][][] = [];
  const site = setUpServer(() => serveSite(findFile, policy, () => respond));

  const key = crypto.randomUUID();
  const loginResponses = [
    { status: "wrong_credentials" },
    { status: "interaction_required", key, field: "elements", context: "Which?" },
    { status: "interaction_required", key, field: "submit", context: "Which?" },
    { status: "logged_in", key },
  ];

  /** A bank that has each of the names as a text or a password. */
  async function respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/bank/login/") {
      posts.push([...new URLSearchParams(await request.text())].sort());
      return Response.json(loginResponses[posts.length - 1]);
    }
    const entry = { code: "test", country: "UY", name: "Test" };
    if (pathname === "/bank/provider/") return Response.json({ status: "success", providers: [entry] });
    const auth_fields = [
      ...names.map((name, index) => field(name, false, index % 2 === 0 ? "text" : "password")),
      ...["elements", "submit"].map((name) => field(name, true, "password")),
    ];
    return Response.json({ status: "success", provider: { ...entry, account_type: [], auth_fields } });
  }

  test("are sent as they were typed", async ({ open }) => {
    const screen = await open("about:blank");
    const { page, consoleErrors } = screen;
    names = await listDangerousNames(page);
    expect(names).toEqual(expect.arrayContaining(["elements", "submit", "length", "reset", "action", "parentNode"]));
    await page.goto(site().url);
    await screen.choose("test");

    // First with empty fields: the form shows what is missing, and keeps what was typed.
    await page.locator("#field-username").fill("ana");
    await screen.press("submit");
    await page.locator(".failure a").first().waitFor();
    expect(posts).toEqual([]);
    await fillIn(page);
    await screen.press("submit");
    await screen.waitForStep("failed");
    expect(await fillIn(page)).toEqual([]);
    await screen.press("submit");
    for (const name of ["elements", "submit"]) {
      await page.getByLabel(`The field ${name}`, { exact: true }).fill(`answered ${name}`);
      await screen.press("answer");
    }
    await screen.waitForStep("linked");

    const typed = new Map([...names, "password"].map((name) => [name, `typed into ${name}`]));
    const first = [...typed.set("provider", "test").set("username", "ana")].sort();
    expect(posts).toEqual([
      first,
      first,
      expect.arrayContaining([["elements", "answered elements"]]),
      expect.arrayContaining([["submit", "answered submit"]]),
    ]);
    expect(consoleErrors).toEqual([]);
  });
});
