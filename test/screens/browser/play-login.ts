import { expect } from "vitest";
import { asWords } from "../../leaks/canaries.ts";
import { violationsIn } from "./axe.ts";
import { logInUntilQuestion, servePlayground } from "./play.ts";
import { test } from "./screen-page.ts";
import { setUpServer } from "./vite.ts";

/** Tests a login on the playground in a colour scheme. */
export function testLogin(colorScheme: "light" | "dark"): void {
  const playground = setUpServer(servePlayground);

  test(`the playground shows a login and its statechart side by side, ${colorScheme}`, async ({ open }) => {
    const { url } = playground();
    const screen = await open(url, { colorScheme });
    const { page, consoleErrors } = screen;
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await logInUntilQuestion(screen);
    const viewer = page.frameLocator("iframe");
    await expect.poll(() => viewer.locator("#state").innerText()).toContain("awaitingInteraction");
    expect(await violationsIn(page)).toEqual([]);
    await screen.answer("8888");
    await screen.waitForState("linked");
    await expect.poll(() => viewer.locator("#log").innerText()).toContain("interaction.answer");
    // The viewer shows nothing that was typed, and no request left the page.
    expect(await viewer.locator("body").innerText()).not.toMatch(asWords("asdfg", "8888", "12345otp"));
    expect(consoleErrors).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(url) && !address.startsWith("data:"))).toEqual([]);
  });
}
