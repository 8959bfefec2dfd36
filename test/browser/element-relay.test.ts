import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { relayFor } from "../../docs/examples/element/server.ts";
import { openPage } from "./page.ts";
import { serveSite, strict } from "./site.ts";
import { buildPages, serveForDevelopment } from "./vite.ts";

const policy = `${strict}; script-src 'self'; style-src 'self'`;

let files: string;
beforeAll(async () => {
  files = await buildPages("element", "docs/examples/element");
});

const findFile = (path: string) => join(files, path);
const step = (page: Page, name: string) => page.locator(`bank-login [data-step="${name}"]`).waitFor();

async function logIn(page: Page): Promise<void> {
  await page.getByLabel("Search").fill("prueba");
  await page.locator('[data-choice="test"]').press("Enter");
  await page.getByLabel("User name").fill("12345otp");
  await page.getByLabel("Password", { exact: true }).fill("asdfg");
  await page.getByRole("button", { name: "Log in" }).press("Enter");
  await page.getByLabel("One-time code").fill("8888");
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await step(page, "linked");
}

describe("<bank-login> at a relay", () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  const sessions: string[] = [];
  // What the relay tells the page, as it leaves the server.
  const heard: string[] = [];
  beforeAll(async () => {
    site = await serveSite(findFile, policy, (origin) => {
      const relay = relayFor(origin, (session) => sessions.push(session));
      return async (request) => {
        const response = await relay(request);
        heard.push(await response.clone().text());
        return response;
      };
    });
  });
  afterAll(() => site.close());

  test("logs in under a strict content security policy, and speaks to nobody but the relay", async () => {
    const { page, complaints } = await openPage("about:blank");
    const sent: { url: string; headers: Record<string, string> }[] = [];
    page.on("request", (request) => sent.push({ url: request.url(), headers: request.headers() }));
    await page.goto(site.origin);
    await logIn(page);
    expect(complaints).toEqual([]);
    expect(sent.filter(({ url }) => new URL(url).origin !== site.origin)).toEqual([]);
    expect(sent.filter(({ headers }) => "x-api-key" in headers)).toEqual([]);
    expect(sessions).toEqual(["test [secret]"]);
    // The page reads a sealed key where the service gives a UUID.
    expect(heard.filter((body) => body.includes('"key"'))).toHaveLength(2);
    expect(heard.join("\n")).not.toMatch(/"key":"[0-9a-f]{8}-?[0-9a-f]{4}/);
    await page.getByText("Session at test.").waitFor();
    await page.close();
  });

  test("shows a bank's picture under the same policy", async () => {
    const { page, complaints } = await openPage(site.origin);
    await page.locator('[data-choice="mirador_gt"]').press("Enter");
    await page.getByLabel("User name").fill("captcha");
    await page.getByLabel("Password", { exact: true }).fill("s3creto");
    await page.getByRole("button", { name: "Log in" }).press("Enter");
    const image = page.getByRole("img", { name: "Picture from your bank" });
    expect(await image.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(230);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("ships no API key to the browser, and no sandbox", async () => {
    const names = (await readdir(files, { recursive: true })).filter((name) => name.endsWith(".js"));
    const scripts = (await Promise.all(names.map((name) => readFile(findFile(name), "utf8")))).join("\n");
    expect(scripts).toContain("bank-login");
    expect(scripts).not.toContain(SANDBOX_API_KEY);
    expect(scripts).not.toContain("Institución de prueba");
  });
});

test("the example starts with one command: page, relay and sandbox", async () => {
  const { url, close } = await serveForDevelopment("element", "docs/examples/element");
  const { page, complaints } = await openPage(url);
  await logIn(page);
  expect(complaints.filter((complaint) => !complaint.startsWith("Lit is in dev mode"))).toEqual([]);
  await page.close();
  await close();
});

/** A control hides the member of its form that has its name: what a form inherits is what a bank's field can break. */
const formMembers = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const names: string[] = [];
    for (let it: object | null = HTMLFormElement.prototype; it; it = Object.getPrototypeOf(it)) {
      names.push(...Object.getOwnPropertyNames(it));
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

/** Types into each empty field its own name, and says which passwords stand there. */
const fillIn = (page: Page) =>
  page.locator("form").evaluate((form) => {
    const inputs = [...(form.getRootNode() as ShadowRoot).querySelectorAll("input")];
    const kept = inputs.filter(({ type, value }) => type === "password" && value !== "").map(({ id }) => id);
    for (const input of inputs) input.value ||= `typed into ${decodeURIComponent(input.id.slice("field-".length))}`;
    return kept;
  });

test("a bank may name its fields as the members of a form are named, and gets each as it was typed", async () => {
  const { page, complaints } = await openPage("about:blank");
  const names = await formMembers(page);
  expect(names).toEqual(expect.arrayContaining(["elements", "submit", "length", "reset", "action", "parentNode"]));
  // What hides itself is cleared when it was sent.
  const fields = names.map((name, index) => field(name, false, index % 2 === 0 ? "text" : "password"));
  const asked = ["elements", "submit"].map((name) => field(name, true, "password"));
  const key = crypto.randomUUID();
  const bodies = [
    { status: "wrong_credentials" },
    { status: "interaction_required", key, field: "elements", context: "Which?" },
    { status: "interaction_required", key, field: "submit", context: "Which?" },
    { status: "logged_in", key },
  ];
  const posts: [string, string][][] = [];
  const bank = async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/bank/login/") {
      posts.push([...new URLSearchParams(await request.text())].sort());
      return Response.json(bodies[posts.length - 1]);
    }
    const entry = { code: "test", country: "UY", name: "Test" };
    if (pathname === "/bank/provider/") return Response.json({ status: "success", providers: [entry] });
    const provider = { ...entry, account_type: [], auth_fields: [...fields, ...asked] };
    return Response.json({ status: "success", provider });
  };
  const { origin, close } = await serveSite(findFile, policy, () => bank);
  await page.goto(origin);
  await page.locator('[data-choice="test"]').press("Enter");
  const submit = page.locator('[data-verb="submit"]');

  // Sent with something missing first: what is wrong shows, and what was typed stays.
  await page.locator("#field-username").fill("ana");
  await submit.press("Enter");
  await page.locator(".failure a").first().waitFor();
  expect(posts).toEqual([]);
  await fillIn(page);
  await submit.press("Enter");
  await step(page, "failed");
  expect(await fillIn(page)).toEqual([]);
  await submit.press("Enter");
  for (const name of ["elements", "submit"]) {
    await page.getByLabel(`The field ${name}`, { exact: true }).fill(`answered ${name}`);
    await page.locator('[data-verb="answer"]').press("Enter");
  }
  await step(page, "linked");

  const typed = new Map([...names, "password"].map((name) => [name, `typed into ${name}`]));
  const first = [...typed.set("provider", "test").set("username", "ana")].sort();
  expect(posts).toEqual([
    first,
    first,
    expect.arrayContaining([["elements", "answered elements"]]),
    expect.arrayContaining([["submit", "answered submit"]]),
  ]);
  expect(complaints).toEqual([]);
  await page.close();
  await close();
});
