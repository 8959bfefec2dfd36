import type { Page } from "playwright-core";
import type { LinkDriver, Path } from "ventanilla/testing";
import { driverAnswering } from "./driver.ts";

/** The component as a driver: it has one more step around a login, and its question goes by the field's own name. */
export function elementDriver(page: Page, { flow, provider }: Path): LinkDriver {
  const driver = driverAnswering(page, "bank-login form :is(input, select)");
  return {
    ...driver,
    // One step back at a time: out of the login to its form, and from there to the banks.
    changeProvider: async () => {
      const cancel = page.locator('[data-verb="cancel"]');
      if ((await cancel.count()) > 0) await cancel.press("Enter");
      await driver.changeProvider();
    },
    // Out of a failure the way back leads to the banks.
    cancel: async () => {
      if ((await page.locator('[data-verb="cancel"]').count()) > 0) return driver.cancel();
      await driver.changeProvider();
      await driver.choose(provider);
    },
    currentStep: async () => {
      const step = await driver.currentStep();
      return flow === "login" && step === "linked" ? "loggedIn" : step;
    },
  };
}
