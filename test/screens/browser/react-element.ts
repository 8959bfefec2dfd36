import { expect } from "vitest";
import { test } from "./screen-page.ts";

/** Tests `<BankLogin>` in the page `element-page.tsx`. */
export function testElement(how: "hydrates" | "creates", url: () => string): void {
  test(`where React ${how} <BankLogin>, each event reaches the handler of the last render, once`, async ({ open }) => {
    const screen = await open(url());
    const { page, consoleErrors } = screen;
    const readEvents = () => page.evaluate(() => window.requests.splice(0));
    await screen.waitForState("idle");
    await page.locator("bank-login.wide").waitFor();
    expect(await page.getByRole("heading").innerText()).toBe("Ingrese a\nBanco de prueba");
    expect(await readEvents()).toEqual(["render 1: loadingFields", "render 1: idle"]);
    await page.getByRole("button", { name: "Render" }).click();
    await screen.submit({ username: "12345", password: "wrong" });
    await screen.waitForState("failed");
    expect(await readEvents()).toEqual(["render 2: submitting", "render 2: failed", "render 2: wrong_credentials"]);
    await screen.submit({ password: "gfdsa" });
    await screen.waitForState("linked");
    expect((await readEvents()).at(-1)).toBe("render 2: logged in at test");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.locator("bank-login").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove" }).click();
    await screen.waitForState("idle");
    await screen.press("cancelLink");
    await screen.waitForState("cancelled");
    expect((await readEvents()).slice(-2)).toEqual(["render 2: cancelled", "render 2: cancelled"]);
    expect(consoleErrors.filter((text) => !text.includes("Lit is in dev mode"))).toEqual([]);
  });
}
