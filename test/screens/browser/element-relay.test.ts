import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { beforeAll, describe, expect } from "vitest";
import { relayFor } from "../../../docs/examples/element/server.ts";
import { type ScreenPage, test } from "./screen-page.ts";
import { serveSite, strictPolicy } from "./site.ts";
import { buildPages, setUpServer } from "./vite.ts";

const policy = `${strictPolicy}; script-src 'self'; style-src 'self'`;

let folder: string;
beforeAll(async () => {
  folder = await buildPages("element", ["docs/examples/element"]);
});
const findFile = (path: string) => join(folder, path);

async function logIn(screen: ScreenPage): Promise<void> {
  await screen.logIn("test", "12345otp", "asdfg");
  await screen.answer("8888");
  await screen.waitForState("linked");
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

  test("loads the banks of its countries alone, and searches in these", async ({ open }) => {
    const screen = await open(site().url);
    const { page } = screen;
    const load = async (countries: string | undefined) => {
      bodies.length = 0;
      await page.locator("bank-login").evaluate((shown, countries) => {
        if (countries === undefined) shown.removeAttribute("countries");
        else shown.setAttribute("countries", countries);
      }, countries);
      await expect.poll(() => bodies).toHaveLength(1);
      const { providers } = JSON.parse(bodies[0] ?? "");
      await expect.poll(() => page.locator("[data-choice]").count()).toBe(providers.length);
      return [...new Set(providers.map(({ country }: { country: string }) => country))].sort();
    };
    await screen.waitForState("choosingProvider");
    expect(await load(" pa  UY ")).toEqual(["PA", "UY"]);
    await page.getByLabel("Country").selectOption("PA");
    await page.getByLabel("Search").fill("Mirador");
    await page.getByText("Search in all countries").press("Enter");
    expect(await page.locator("[data-choice]").count()).toBe(0);
    await page.getByLabel("Search").fill("");
    expect(await load("UY")).toEqual(["UY"]);
    expect(await page.getByLabel("Country").count()).toBe(0);
    expect((await load(undefined)).length).toBeGreaterThan(2);
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
