import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { H3, serve } from "h3";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { openPage } from "./page.ts";
import { buildPages } from "./vite.ts";

const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

let browser: Browser;
let files: string;
beforeAll(async () => {
  browser = await openChromium();
  files = await buildPages("element", "docs/examples/element");
});
afterAll(() => closePages(browser));

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

test("a bank may name its fields as the members of a form are named, and gets each as it was typed", async () => {
  const posts: URLSearchParams[] = [];
  let names: string[] = [];
  const key = crypto.randomUUID();
  const responses = [
    Response.json({ status: "wrong_credentials" }),
    Response.json({ status: "interaction_required", key, field: "elements", context: "Which?" }),
    Response.json({ status: "interaction_required", key, field: "submit", context: "Which?" }),
    Response.json({ status: "logged_in", key }),
  ];
  const app = new H3({ silent: true });
  app.get("/bank/provider/", () => ({ status: "success", providers: [{ code: "test", country: "UY", name: "Test" }] }));
  app.get("/bank/provider/test/", () => ({
    status: "success",
    provider: {
      name: "Test",
      country: "UY",
      account_type: [],
      auth_fields: [
        // What hides itself is cleared when it was sent.
        ...names.map((name, index) => field(name, false, index % 2 === 0 ? "text" : "password")),
        field("elements", true, "password"),
        field("submit", true, "password"),
      ],
    },
  }));
  app.post("/bank/login/", async ({ req }) => {
    posts.push(new URLSearchParams(await req.text()));
    return responses.shift();
  });
  app.get("/**", async ({ url: { pathname } }) => {
    const name = pathname === "/" ? "/index.html" : pathname;
    return new Response(await readFile(join(files, name)), { headers: { "content-type": types[extname(name)] ?? "" } });
  });
  const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
  await server.ready();
  const { page, complaints } = await openPage(browser, "about:blank");
  names = await formMembers(page);
  for (const name of [
    "elements",
    "submit",
    "length",
    "reset",
    "method",
    "action",
    "name",
    "id",
    "children",
    "parentNode",
  ]) {
    expect(names).toContain(name);
  }
  await page.goto(server.url ?? "");
  await page.locator('[data-choice="test"]').press("Enter");
  const step = (name: string) => page.locator(`[data-step="${name}"]`).waitFor();
  await step("enteringCredentials");

  // Sent with something missing first: what is wrong shows, and what was typed stays.
  await page.locator("#field-username").fill("ana");
  await page.locator('[data-verb="submit"]').press("Enter");
  await page.locator(".failure a").first().waitFor();
  expect(posts).toEqual([]);
  const fill = () =>
    page.locator("form").evaluate((form) => {
      for (const input of (form.getRootNode() as ShadowRoot).querySelectorAll("input")) {
        // What stays of the first try is sent again as it is.
        if (input.value === "") input.value = `typed into ${decodeURIComponent(input.id.slice("field-".length))}`;
      }
    });
  await fill();
  await page.locator('[data-verb="submit"]').press("Enter");
  await step("failed");
  const hidden = await page.locator("form").evaluate((form) => {
    const inputs = [...(form.getRootNode() as ShadowRoot).querySelectorAll("input")];
    return inputs.filter(({ type, value }) => type === "password" && value !== "").map(({ id }) => id);
  });
  expect(hidden).toEqual([]);
  await fill();
  await page.locator('[data-verb="submit"]').press("Enter");
  for (const name of ["elements", "submit"]) {
    await step("answering");
    await page.getByLabel(`The field ${name}`, { exact: true }).fill(`answered ${name}`);
    await page.locator('[data-verb="answer"]').press("Enter");
  }
  await step("linked");

  const typed = Object.fromEntries([
    ...names.map((name) => [name, `typed into ${name}`]),
    ["provider", "test"],
    ["username", "ana"],
    ["password", "typed into password"],
  ]);
  const sent = posts.map((post) => [...post].sort());
  const first = Object.entries(typed).sort();
  expect(sent[0]).toEqual(first);
  expect(sent[1]).toEqual(first);
  expect(sent[2]).toEqual(expect.arrayContaining([["elements", "answered elements"]]));
  expect(sent[3]).toEqual(expect.arrayContaining([["submit", "answered submit"]]));
  expect(sent).toHaveLength(4);
  expect(complaints).toEqual([]);
  await page.close();
  await server.close(true);
});
