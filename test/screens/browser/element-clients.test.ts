import type { BankLogin } from "ventanilla/element";
import { expect } from "vitest";
import { test as base } from "./element-page.ts";

const names = ["Andina", "Boreal", "Cóndor", "Delta"];

const test = base.extend(
  "showClients",
  ({ element }) =>
    async (clients: Readonly<Record<string, string>>, set: Partial<BankLogin> = {}) => {
      const listed = { request: "GET /client/", what: { body: { status: "success", clients } } } as const;
      const chosen = Object.keys(clients)[0] ?? "";
      await element.show(
        { clientSelection: true, provider: "ceibo_ar" },
        [listed],
        [{ action: { type: "choose", value: chosen }, sentence: "a client is chosen", expected: "linked" }],
      );
      await element.page.locator("bank-login").evaluate((shown, set) => void Object.assign(shown, set), set);
      await element.submit({ username: "group", password: "s3creto", type: "corp" });
      await element.answer("246802");
    },
);

const create = (count: number, name: (index: number) => string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`id-${String(index).padStart(3, "0")}`, name(index)]),
  );

test("300 clients have a search, by words of the name or the id", async ({ element, page, showClients }) => {
  await showClients(create(300, (index) => `${names[index % 4]} ${index}`));
  await element.waitForState("selectClient");
  expect(await element.readFocus()).toBe("input#search.");
  expect(await page.locator(".clients button").count()).toBeLessThan(300);
  const search = page.getByLabel("Search");
  await search.fill("condor 29");
  expect(await page.locator(".clients .names").allInnerTexts()).toEqual(["Cóndor 290", "Cóndor 294", "Cóndor 298"]);
  await search.fill("id-007");
  await search.press("ArrowDown");
  expect(await page.locator(".clients button:focus").innerText()).toBe("Delta 7");
  await search.fill("nobody");
  await page.getByText("Nothing found. Check the spelling.").waitFor();
});

test("the keys go through clients that are not drawn yet: arrows, Home, End and letters", async ({
  element,
  page,
  showClients,
}) => {
  await showClients(create(300, (index) => `${names[Math.floor(index / 75)]} ${index}`));
  await element.waitForState("selectClient");
  const read = () => page.locator("bank-login :focus").innerText();
  const press = async (key: string, expected: string) => {
    await page.keyboard.press(key);
    await expect.poll(read).toBe(expected);
  };
  await press("ArrowDown", "Andina 0");
  await press("ArrowDown", "Andina 1");
  await press("ArrowUp", "Andina 0");
  await press("End", "Delta 299");
  await press("Home", "Andina 0");
  await press("c", "Cóndor 150");
  await press("c", "Cóndor 151");
  await press("a", "Andina 0");
  await page.keyboard.press("ArrowUp");
  expect(await element.readFocus()).toBe("input#search.");
});

test("equal names have their ids as a second line, seven clients have no search", async ({ page, showClients }) => {
  await showClients(create(7, (index) => (index < 2 ? "Andina S.A." : `Boreal ${index}`)));
  await page.locator(".clients button").first().waitFor();
  expect(await page.locator(".clients .names").first().innerText()).toBe("Andina S.A.\nid-000");
  expect(await page.locator("#search").count()).toBe(0);
});

test.for([
  ["with skip-single-client the only client is chosen without a question", true, "linked"],
  ["without it the person sees the only client", false, "selectClient"],
] as const)("%s", async ([, skipSingleClient, step], { element, showClients }) => {
  await showClients({ 0: "Andina" }, { skipSingleClient });
  await element.waitForState(step);
});
