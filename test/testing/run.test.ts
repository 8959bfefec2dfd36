import { type LinkDriver, type LoginPath, PathError, runPath, viewDriver } from "ventanilla/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const path: LoginPath = {
  flow: "login",
  name: "When all goes well, the login succeeds",
  provider: "test",
  account: undefined,
  faults: [],
  settings: {},
  start: "enteringCredentials",
  steps: [
    {
      action: { type: "fill", values: { username: "12345" } },
      sentence: "the form is filled in",
      expected: "enteringCredentials",
    },
    { action: { type: "submit" }, sentence: "the form is sent", expected: "answering" },
    { action: { type: "answer", text: "8888" }, sentence: "the code is given", expected: "loggedIn" },
  ],
};

/** A driver whose screen shows what a script says, look by look; the last one for ever. */
function scripted(looks: Partial<Record<"start" | "fill" | "submit" | "answer", readonly string[]>>) {
  const done: unknown[] = [];
  let left = [...(looks.start ?? ["enteringCredentials"])];
  let last = "";
  const acts =
    (name: "fill" | "submit" | "answer") =>
    (...values: unknown[]) => {
      done.push([name, ...values]);
      left = [...(looks[name] ?? [])];
    };
  const driver: LinkDriver = {
    ...viewDriver(() => {
      throw new Error("no view");
    }),
    fill: acts("fill"),
    submit: acts("submit"),
    answer: acts("answer"),
    currentStep() {
      last = left.shift() ?? last;
      return last;
    },
  };
  return { driver, done };
}

const good = { fill: ["enteringCredentials"], submit: ["submitting", "answering"], answer: ["submitting", "loggedIn"] };

/** How a run ends, and how long it takes. */
async function run(driver: LinkDriver, options?: { timeout: number }, along = path) {
  const start = Date.now();
  const ended = runPath(along, driver, options).then(
    () => "passed" as const,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return { end: await ended, after: Date.now() - start };
}

async function errorOf(driver: LinkDriver, options?: { timeout: number }, along = path): Promise<PathError> {
  const { end } = await run(driver, options, along);
  expect(end).toBeInstanceOf(PathError);
  return end as PathError;
}

describe("a run along a path", () => {
  test("does each action, and looks until the screen rests", async () => {
    const { driver, done } = scripted(good);
    const { end, after } = await run(driver);
    expect(end).toBe("passed");
    expect(done).toEqual([["fill", { username: "12345" }], ["submit"], ["answer", "8888"]]);
    expect(after).toBeLessThan(100);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("takes promises as well", async () => {
    const { driver } = scripted(good);
    const later = async () => new Promise((resolve) => setTimeout(resolve, 100));
    const slow: LinkDriver = {
      ...driver,
      submit: async () => [await later(), driver.submit()],
      currentStep: async () => driver.currentStep(),
    };
    expect((await run(slow)).end).toBe("passed");
  });

  test("waits five seconds for a step, and no longer", async () => {
    const { driver } = scripted({ ...good, submit: ["submitting"] });
    const { end, after } = await run(driver);
    expect(end).toMatchObject({ actual: "submitting" });
    expect(after).toBeGreaterThanOrEqual(5000);
    expect(after).toBeLessThan(5100);
  });

  test("waits as long as it is told", async () => {
    const { after } = await run(scripted({ ...good, submit: ["submitting"] }).driver, { timeout: 300 });
    expect(after).toBeGreaterThanOrEqual(300);
    expect(after).toBeLessThan(400);
    const slow = Array.from({ length: 20 }, () => "submitting");
    expect((await run(scripted({ ...good, submit: [...slow, "answering"] }).driver, { timeout: 300 })).end).toBe(
      "passed",
    );
  });

  test("does not take a step that shows for a moment", async () => {
    const { driver } = scripted({ ...good, submit: ["submitting", "answering", "failed"] });
    expect(await errorOf(driver)).toMatchObject({ step: 1, expected: "answering", actual: "failed" });
  });

  test("looks longer where the step is to be the same as before", async () => {
    const again: LoginPath = {
      ...path,
      steps: [
        ...path.steps.slice(0, 2),
        { action: { type: "answer", text: "0000" }, sentence: "a wrong code is given", expected: "answering" },
      ],
    };
    const stale = Array.from({ length: 4 }, () => "answering");
    const { driver } = scripted({ ...good, answer: [...stale, "failed"] });
    expect(await errorOf(driver, undefined, again)).toMatchObject({ step: 2, actual: "failed" });
    expect((await run(scripted({ ...good, answer: ["submitting", "answering"] }).driver, undefined, again)).end).toBe(
      "passed",
    );
  });

  test("does nothing while it waits for the time to run out", async () => {
    const late: LoginPath = {
      ...path,
      steps: [
        ...path.steps.slice(0, 2),
        { action: { type: "wait" }, sentence: "the time runs out at the question", expected: "failed" },
      ],
    };
    const { driver, done } = scripted({ ...good, submit: ["answering", "answering", "answering", "failed"] });
    expect((await run(driver, undefined, late)).end).toBe("passed");
    expect(done).toHaveLength(2);

    const { after } = await run(
      scripted({ ...good, submit: ["answering"] }).driver,
      { timeout: 300 },
      { ...late, settings: { answerTimeout: 1000 } },
    );
    expect(after).toBeGreaterThanOrEqual(1300);
    expect(after).toBeLessThan(1500);
  });
});

describe("a path's error", () => {
  test("is a sentence", async () => {
    const { driver } = scripted({ ...good, answer: ["answering"] });
    const error = await errorOf(driver);
    expect(error.message).toBe(
      'After "the form is filled in", "the form is sent", "the code is given": the screen shows "answering", expected "loggedIn".',
    );
    expect(error).toMatchObject({
      name: "PathError",
      path: "When all goes well, the login succeeds",
      step: 2,
      sentence: "the code is given",
      expected: "loggedIn",
      actual: "answering",
    });
    expect(error.cause).toBeUndefined();
    expect(error).toBeInstanceOf(Error);
  });

  test("says so where the screen does not even begin right", async () => {
    const error = await errorOf(scripted({ start: ["linked"] }).driver);
    expect(error.message).toBe('At first: the screen shows "linked", expected "enteringCredentials".');
    expect(error).toMatchObject({ step: -1, sentence: "" });
  });

  test("says so where the screen shows nothing", async () => {
    const error = await errorOf(scripted({ start: [""] }).driver);
    expect(error.message).toBe('At first: the screen shows nothing, expected "enteringCredentials".');
  });

  test("holds what the driver threw", async () => {
    const { driver } = scripted(good);
    const cause = new Error("there is no such button");
    const broken = {
      ...driver,
      submit: () => {
        throw cause;
      },
    };
    const error = await errorOf(broken);
    expect(error.message).toBe(
      'After "the form is filled in", "the form is sent": the driver failed (there is no such button), and the screen shows "enteringCredentials", expected "answering".',
    );
    expect(error.cause).toBe(cause);
    const rejecting = { ...scripted(good).driver, currentStep: () => Promise.reject("the page is closed") };
    expect((await errorOf(rejecting)).message).toContain("the driver failed (the page is closed)");
  });

  test("comes in time where the driver never ends", async () => {
    const never = () => new Promise<string>(() => {});
    const clicking = await errorOf({ ...scripted(good).driver, submit: never }, { timeout: 200 });
    expect(clicking.message).toContain("the driver failed (it took longer than 200 ms)");
    const looking = await errorOf({ ...scripted(good).driver, currentStep: never }, { timeout: 200 });
    expect(looking).toMatchObject({ step: -1, actual: "" });
    const both = await errorOf({ ...scripted(good).driver, submit: never, currentStep: never }, { timeout: 200 });
    expect(both.actual).toBe("");
    expect(vi.getTimerCount()).toBe(0);
  });
});
