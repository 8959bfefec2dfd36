import { type LoginPath, runPath, viewDriver } from "ventanilla/testing";
import { expect, test } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { openScreen } from "./screen.ts";

const findPath = (start: string): LoginPath => {
  const found = generatedPaths.login.find(({ name }) => name.startsWith(`When ${start}`));
  if (!found) throw new Error(`No path begins with ${start}.`);
  return found;
};

test("it throws for a verb that the view does not offer, and where there is no form", async () => {
  const path = findPath("the login gets no response");
  const { driver, close } = openScreen(path);
  expect(() => driver.cancel()).toThrow('"idle" offers no "cancel"');
  await runPath({ ...path, steps: path.steps.slice(0, 2) }, driver, { timeout: 60_000 });
  expect(() => driver.fill({})).not.toThrow();
  expect(() => driver.fill({ username: "12345" })).toThrow('"submitting" has no form');
  expect(() => driver.submit()).toThrow('"submitting" has no form');
  close();
});

test("a field that is not filled in keeps its value; one that is filled in twice has the last one", async () => {
  const { driver, sent, close } = openScreen(findPath("the form has a choice that is made already"));
  driver.fill({ username: "another", password: "s3creto" });
  driver.fill({ username: "plain" });
  driver.submit();
  await expect
    .poll(() => sent.map(({ form }) => form))
    .toEqual([{ provider: "ipe_br", username: "plain", password: "s3creto", type: "pers" }]);
  close();
});

test("the form is empty after it is sent", async () => {
  const path = findPath("the password is wrong at first and the form is sent again");
  const { driver, sent, close } = openScreen(path);
  await runPath({ ...path, steps: path.steps.slice(0, 2) }, driver, { timeout: 60_000 });
  driver.submit();
  expect(sent).toHaveLength(1);
  close();
});

test("it narrows the choices as they are made, where the view offers it", () => {
  const narrowed: unknown[] = [];
  const fields = Object.entries({ username: "text", country_code: "select", type: "select" });
  const view = {
    state: "idle",
    form: { fields: fields.map(([name, input]) => ({ name, input })) },
    narrow: (...made: unknown[]) => narrowed.push(made),
  } as unknown as ReturnType<Parameters<typeof viewDriver>[0]>;
  viewDriver(() => view).fill({ username: "foreign", country_code: "VE", type: "ci" });
  expect(narrowed.join(" ")).toBe("country_code,VE type,ci");
});
