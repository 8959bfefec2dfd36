import type { BankLogin } from "ventanilla/element";
import type { Fault } from "ventanilla/testing";
import { describe, expect } from "vitest";
import { createPng, dataUrl, png, pngOfBytes } from "../../core/api/pictures.ts";
import { violationsIn } from "./axe.ts";
import { test as base } from "./element-page.ts";
import type { ScreenPage } from "./screen-page.ts";

const interaction = { status: "interaction_required", key: "3f1c1a5e-7a1d-4f6e-9a39-6d7d5f0b7c11", field: "captcha" };

const test = base
  .extend("logIn", ({ element }) => async (username: string, faults: readonly Fault[] = []) => {
    await element.show({ provider: "mirador_gt" }, faults);
    await element.submit({ username, password: "s3creto" });
    await element.waitForState("awaitingInteraction");
  })
  /** Logs in at a bank that asks with this text. */
  .extend("logInWith", ({ logIn }) => (context: string) => {
    const body = { ...interaction, context };
    return logIn("captcha", [{ request: "POST /login/", number: 1, what: { body } }]);
  });

describe("a picture", () => {
  test.for([
    ["captcha", "7K4MP2", [230, 65]],
    ["card", "9WH3T", [156, 52]],
  ] as const)("shows for %s, with an alternative text", async ([username, answer, size], { element, page, logIn }) => {
    await logIn(username);
    const image = page.getByRole("img", { name: "Picture from your bank with the characters to type" });
    await image.evaluate((img: HTMLImageElement) => img.decode());
    expect(await image.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual(size);
    const field = page.getByLabel("Characters in the picture");
    const readHints = (input: HTMLInputElement) => [
      input.autocomplete,
      input.spellcheck,
      input.getAttribute("autocorrect"),
    ];
    expect(await field.evaluate(readHints)).toEqual(["off", false, "off"]);
    await element.answer(answer);
    await element.waitForState("linked");
    expect(element.consoleErrors).toEqual([]);
  });

  test("grows with a click or a key, and shrinks with the next one", async ({ page, logIn }) => {
    await logIn("captcha");
    const button = page.getByRole("button", { name: "Picture from your bank with the characters to type" });
    const readWidth = () => button.locator("img").evaluate((img) => img.getBoundingClientRect().width);
    const small = await readWidth();
    await button.click();
    expect(await readWidth()).toBeGreaterThan(small * 1.3);
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    await button.press("Enter");
    expect(await readWidth()).toBe(small);
    await button.press(" ");
    expect(await readWidth()).toBeGreaterThan(small * 1.3);
  });

  test("as wide as a photograph scrolls in its frame, and the page does not", async ({ page, logInWith }) => {
    await logInWith(createPng(2000, 1500));
    const button = page.getByRole("button", { name: "Picture from your bank" });
    for (const _ of ["small", "large"]) {
      const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
      await button.click();
    }
  });

  test.for([
    ["an SVG", `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"/>`],
    ["a PNG of megabytes", pngOfBytes(3_000_000)],
    ["a picture of another type than declared", dataUrl("image/gif", png)],
  ] as const)(
    "is not shown if it is %s; the text says what to do",
    async ([, context], { element, page, logInWith }) => {
      await logInWith(context);
      await page.getByText("Your bank sent a picture that can't be shown. Start again").waitFor();
      expect(await page.locator("bank-login img").count()).toBe(0);
      await element.pressNamed("Cancel and go back");
      await element.waitForState("idle");
    },
  );

  test.for([
    ["a page", "data:text/html,<script>window.hacked=1</script>"],
    ["a script", "javascript:window.hacked=1"],
    ["markup", "<img src=x onerror='window.hacked=1'><b>Type the code</b>"],
  ] as const)("is not created from %s, which shows as text", async ([, context], { page, logInWith }) => {
    await logInWith(context);
    expect(await page.locator("#question").innerText()).toBe(context);
    expect(await page.locator("bank-login .step :is(img, b, script, iframe)").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });
});

describe("a code that is pasted with its message", () => {
  test.for(["Su codigo es 135790. No lo comparta.", "135790 es su código Itaú", "Código: 135790", "135790\nItaú"])(
    "comes out of it before it is sent: %j",
    async (message, { element }) => {
      await element.show();
      await element.logIn("faro_uy", "otp", "s3creto");
      await element.waitForState("awaitingInteraction");
      await element.paste("otp", message);
      expect(await element.valueOf("otp")).toBe("135790");
      await element.press("answer");
      await element.waitForState("linked");
    },
  );

  test("is not sent if the message has two numbers: the field says what to type", async ({ element, page }) => {
    await element.show();
    await element.logIn("faro_uy", "otp", "s3creto");
    await element.waitForState("awaitingInteraction");
    await element.paste("otp", "Pago de 15000. Código 135790");
    const requests = (await element.readRequests()).length;
    await element.press("answer");
    await page.getByText("Type the code alone, without the rest of the message.").waitFor();
    expect((await element.readRequests()).length).toBe(requests);
    expect(await element.valueOf("otp")).toBe("Pago de 15000. Código 135790");
  });
});

test("without a code a person reads what to do, and goes back to the form", async ({ element, page }) => {
  await element.show();
  await element.logIn("faro_uy", "otp", "s3creto");
  await element.waitForState("awaitingInteraction");
  const help = page.getByText("only the newest one works");
  expect(await help.isVisible()).toBe(false);
  await page.getByText("Did not get a code?").click();
  expect(await help.isVisible()).toBe(true);
  await page.locator("details button").press("Enter");
  await element.waitForState("idle");
  expect(await element.valueOf("username")).toBe("otp");
});

test("a few choices show as cards, and a code follows", async ({ element, page, logIn }) => {
  await logIn("channel");
  await page.getByRole("radiogroup", { name: "Where the code goes" }).getByLabel("Mobile phone").check();
  await element.press("answer");
  await page.getByLabel("One-time code").waitFor();
  await element.answer("604812");
  await element.waitForState("linked");
});

describe("the text of the bank", () => {
  test.for([
    [
      "a question",
      "test",
      "12345pq",
      "asdfg",
      "textbox",
      "Nombre de la empresa más grande de OpenBanking en LATAM Personal question",
    ],
    [
      "a question with its mark",
      "cordillera_cl",
      "question",
      "s3creto",
      "textbox",
      "¿Cómo se llamaba su primera mascota? Personal question",
    ],
    [
      "a question with choices",
      "mirador_gt",
      "channel",
      "s3creto",
      "radiogroup",
      "¿A dónde enviamos el código? Where the code goes",
    ],
  ] as const)(
    "that is %s is the label; the field's own is for its name alone (%s)",
    async ([, provider, username, password, role, name], { element, page }) => {
      await element.show({ provider });
      await element.submit({ username, password });
      await element.waitForState("awaitingInteraction");
      const field = page.getByRole(role, { name, exact: true });
      expect(await field.getAttribute("aria-describedby")).toBeNull();
      expect((await page.locator("[part=label]").boundingBox())?.height).toBeLessThanOrEqual(1);
      expect(await violationsIn(page, "bank-login")).toEqual([]);
      await element.press("answer");
      await expect.poll(() => field.getAttribute("aria-describedby")).toMatch(/^field-\w+-error$/);
    },
  );

  test.for([
    ["is no question", "vicuna_pe", "plain", "Falta un dato", ["branch"], ["Branch"]],
    ["is one about several fields", "vicuna_pe", "plain", "¿Cuáles son?", ["branch", "account"], ["Branch", "Account"]],
    ["asks for a code", "quetzal_mx", "plain", "¿Recibió el código?", ["otp"], ["One-time code"]],
  ] as const)(
    "that %s leaves each field its label",
    async ([, provider, username, context, field, labels], { element, page }) => {
      const body = { ...interaction, context, field };
      await element.show({ provider }, [{ request: "POST /login/", number: 1, what: { body } }]);
      await element.submit({ username, password: "s3creto" });
      await element.waitForState("awaitingInteraction");
      for (const label of labels) {
        const field = page.getByRole("textbox", { name: label, exact: true });
        expect(await field.getAttribute("aria-describedby")).toBe("question");
      }
      const shown = await page.locator("[part=label]").all();
      const heights = await Promise.all(shown.map(async (label) => (await label.boundingBox())?.height ?? 0));
      expect(heights.map((height) => height > 10)).toEqual(labels.map(() => true));
    },
  );
});

test("a confirmation has no field, and Enter on the title does not confirm", async ({ element, page, logIn }) => {
  await logIn("confirm");
  await page.getByText("Confirme el ingreso en la app de Banco Mirador").waitFor();
  expect(await page.locator("bank-login :is(input, select):visible").count()).toBe(0);
  expect(await element.readFocus()).toBe("h2#title.");
  await page.keyboard.press("Enter");
  await element.pressNamed("I have confirmed");
  await element.waitForState("linked");
  expect((await element.readRequests()).filter((sent) => sent === "POST /login/")).toHaveLength(2);
});

test("axe finds nothing in any kind, light and dark", async ({ page, logIn }) => {
  await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
  for (const username of ["captcha", "drawing", "channel", "confirm"]) {
    await logIn(username);
    for (const [colorScheme, rules] of [
      ["light", "all"],
      ["dark", "colours"],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsIn(page, "bank-login", rules), `${username}, ${colorScheme}`).toEqual([]);
    }
  }
});

test("a kind that is set for a bank's field shows a button in its place", async ({ element, page }) => {
  await element.show({ provider: "quetzal_mx", interactionKinds: { quetzal_mx: { otp: "confirmation" } } });
  await element.submit({ username: "otp", password: "s3creto" });
  await element.waitForState("awaitingInteraction");
  expect(await page.getByRole("button", { name: "I have confirmed" }).count()).toBe(1);
  expect(await page.getByRole("textbox").count()).toBe(0);
});

describe("an approval in the bank's app", () => {
  const showApproval = async (element: ScreenPage, username: "approve" | "confirm", isAwaited: boolean) => {
    await element.show();
    await element.page.locator("bank-login").evaluate((shown: BankLogin, isAwaited) => {
      if (!shown.client || !isAwaited) return;
      const approved = new Promise<{ status: "approved" }>((resolve) => {
        addEventListener("approved", () => resolve({ status: "approved" }), { once: true });
      });
      shown.client = { ...shown.client, awaitApproval: () => approved };
    }, isAwaited);
    await element.logIn("mirador_gt", username, "s3creto");
    await element.waitForState("awaitingInteraction");
  };

  test.for(["approve", "confirm"] as const)(
    "that is awaited says so, and goes on by itself (%s)",
    async (username, { element, page }) => {
      await showApproval(element, username, true);
      await page.getByText("Open your bank's app and approve there. This page then continues.").waitFor();
      expect(await element.readFocus()).toBe("h2#title.");
      await page.evaluate(() => dispatchEvent(new Event("approved")));
      await element.waitForState("linked");
      expect((await element.readRequests()).filter((sent) => sent === "POST /login/")).toHaveLength(2);
    },
  );

  test("has its code behind a disclosure, and the button confirms without one", async ({ element, page }) => {
    await showApproval(element, "approve", false);
    expect(await page.locator(".spinner").count()).toBe(0);
    expect(await page.getByLabel("One-time code").isVisible()).toBe(false);
    expect(await element.readFocus()).toBe("h2#title.");
    await element.pressNamed("I have confirmed");
    await element.waitForState("linked");
  });

  test.for(["Enter", "Continue"])("gives way to a code that the person has (%s)", async (way, { element, page }) => {
    await showApproval(element, "approve", false);
    await page.getByText("I have a code").click();
    expect(await element.readFocus()).toBe("input#field-otp.code");
    expect(await page.getByText("(optional)").count()).toBe(0);
    const bottomOf = async (name: string) => (await page.getByRole("button", { name }).boundingBox())?.y ?? 0;
    const field = page.getByLabel("One-time code");
    expect(await bottomOf("Continue")).toBeGreaterThan((await field.boundingBox())?.y ?? Number.POSITIVE_INFINITY);
    expect(await page.locator("form .primary").innerText()).toBe("Continue");
    // An empty field confirms nothing.
    if (way === "Enter") await field.press("Enter");
    else await element.pressNamed("Continue");
    await page.getByText("Fill this in.").waitFor();
    await field.fill("604812");
    if (way === "Enter") await field.press("Enter");
    else await element.pressNamed("Continue");
    await element.waitForState("linked");
  });

  test("that asks for no code has no disclosure", async ({ element, page }) => {
    await showApproval(element, "confirm", false);
    expect(await page.getByText("I have a code").count()).toBe(0);
  });
});
