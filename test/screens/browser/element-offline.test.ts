import { expect } from "vitest";
import { openSite } from "../browsers/stage.ts";
import { test } from "./screen-page.ts";

const OFFLINE = "No hay conexión: no se envió nada. Continúe cuando vuelva la conexión.";

test("without a connection nothing reaches the bank, what was typed stays, and the login goes on", async ({ open }) => {
  const site = await openSite('locale="es" client-selection', { hasProxy: false });
  const screen = await open(site.url);
  const { page } = screen;
  const context = page.context();
  const alert = page.getByRole("alert");

  await screen.choose("ceibo_ar");
  await screen.fill({ username: "group", password: "s3creto", type: "corp" });
  await context.setOffline(true);
  await page.locator('[name="password"]').press("Enter");
  expect(await alert.innerText()).toBe(OFFLINE);
  expect(await screen.valueOf("password")).toBe("s3creto");
  expect(await page.locator('[aria-invalid="true"]').count()).toBe(0);
  expect(await screen.readFocus()).toContain("field-password");
  await context.setOffline(false);
  await expect.poll(() => alert.count()).toBe(0);
  expect(site.countTries()).toBe(0);
  await screen.press("submit");
  await screen.waitForState("awaitingInteraction");

  await context.setOffline(true);
  await screen.answer("246802");
  expect(await alert.innerText()).toBe(OFFLINE);
  await context.setOffline(false);
  await expect.poll(() => alert.count()).toBe(0);
  expect(site.countTries()).toBe(1);
  expect(await screen.valueOf("token")).toBe("246802");
  await screen.press("answer");
  await screen.waitForState("selectClient");

  await context.setOffline(true);
  await screen.choose("0");
  expect(await alert.innerText()).toBe(OFFLINE);
  expect(site.countChoices()).toBe(0);
  await context.setOffline(false);
  await expect.poll(() => alert.count()).toBe(0);
  await screen.choose("0");
  await screen.waitForState("linked");
  expect(site.countLogins()).toBe(2);
  expect(site.countChoices()).toBe(1);
});

test("another session is not closed without a connection", async ({ open }) => {
  const site = await openSite("session-replacement", { hasProxy: false });
  const screen = await open(site.url);
  const { page } = screen;
  await screen.choose("faro_uy");
  await screen.submit({ username: "sessions", password: "s3creto" });
  await screen.waitForState("failed");
  await page.context().setOffline(true);
  await screen.press("replaceSession");
  await page.getByText("You are offline, so nothing was sent.").waitFor();
  await page.context().setOffline(false);
  await screen.press("replaceSession");
  await screen.waitForState("linked");
  expect(site.countLogins()).toBe(2);
});
