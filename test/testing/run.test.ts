import { type FailureCode, failureText } from "ventanilla";
import {
  type LinkDriver,
  type LoginPath,
  PathError,
  type RunPathOptions,
  runPath,
  viewDriver,
} from "ventanilla/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const path: LoginPath = {
  flow: "login",
  name: "When all goes well, the login succeeds",
  provider: "test",
  account: { provider: "test", country: "UY", username: "12345", password: "gfdsa", shows: "logs in" },
  detail: { name: "Banco de prueba", country: "UY", auth_fields: [], account_type: [] },
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

/** The same where the bank has a text for its question. */
const withQuestion: LoginPath = {
  ...path,
  steps: path.steps.map((step) => (step.expected === "answering" ? { ...step, question: "Code, please" } : step)),
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
  const { currentText: _, ...verbs } = viewDriver(() => {
    throw new Error("no view");
  });
  const driver: LinkDriver = {
    ...verbs,
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
async function run(driver: LinkDriver, options?: RunPathOptions, along = path) {
  const start = Date.now();
  const ended = runPath(along, driver, options).then(
    () => "passed" as const,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return { end: await ended, after: Date.now() - start };
}

async function readError(driver: LinkDriver, options?: RunPathOptions, along = path): Promise<PathError> {
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
    expect(await readError(driver)).toMatchObject({ step: 1, expected: "answering", actual: "failed" });
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
    expect(await readError(driver, undefined, again)).toMatchObject({ step: 2, actual: "failed" });
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
  });
});

describe("a path's error", () => {
  test("is a sentence", async () => {
    const { driver } = scripted({ ...good, answer: ["answering"] });
    const error = await readError(driver);
    expect(error.message).toBe(
      'After "the form is filled in", "the form is sent", "the code is given": the screen shows "answering", expected "loggedIn".',
    );
    expect(error).toMatchObject({
      name: "PathError",
      code: "step_not_shown",
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
    const error = await readError(scripted({ start: ["linked"] }).driver);
    expect(error.message).toBe('At first: the screen shows "linked", expected "enteringCredentials".');
    expect(error).toMatchObject({ step: -1, sentence: "" });
  });

  test("says so where the screen shows nothing", async () => {
    const error = await readError(scripted({ start: [""] }).driver);
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
    const error = await readError(broken);
    expect(error.message).toBe(
      'After "the form is filled in", "the form is sent": the driver failed (there is no such button), and the screen shows "enteringCredentials", expected "answering".',
    );
    expect(error).toMatchObject({ code: "driver_failed", cause });
    const rejecting = { ...scripted(good).driver, currentStep: () => Promise.reject("the page is closed") };
    expect((await readError(rejecting)).message).toContain("the driver failed (the page is closed)");
  });
});

// Vitest and Jest end a test after 5 seconds, without a word of where the screen was.
describe("before the runner's own time-out a run is over", () => {
  const never = () => new Promise<never>(() => {});
  const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const late: LoginPath = {
    ...path,
    settings: { answerTimeout: 2000 },
    steps: [
      ...path.steps.slice(0, 2),
      { action: { type: "wait" }, sentence: "the time runs out at the question", expected: "failed" },
    ],
  };
  const cases: [string, (driver: LinkDriver) => Partial<LinkDriver>, Partial<PathError>, LoginPath?][] = [
    ["a step never shows", () => ({ answer: () => {} }), { step: 2, expected: "loggedIn", actual: "answering" }],
    [
      "a button never takes the click",
      () => ({ submit: never }),
      {
        step: 1,
        actual: "enteringCredentials",
        message: expect.stringContaining("the driver failed (it did not end in time)"),
      },
    ],
    ["the page never says what it shows", () => ({ currentStep: never }), { step: -1, actual: "" }],
    [
      "the page is gone in the middle",
      (driver) => {
        let isGone = false;
        return {
          submit: () => {
            isGone = true;
            return never();
          },
          currentStep: () => (isGone ? never() : driver.currentStep()),
        };
      },
      { step: 1, actual: "" },
    ],
    ["the texts are never read", () => ({ currentText: never }), { step: 1, actual: "answering" }],
    [
      "everything is slow, and then it is stuck",
      (driver) => ({
        fill: (values) => later(1500).then(() => driver.fill(values)),
        submit: () => later(1500).then(() => driver.submit()),
        answer: () => {},
      }),
      { step: 2, actual: "answering" },
    ],
    ["the time to answer does not run out", () => ({}), { step: 2, expected: "failed", actual: "answering" }, late],
  ];
  test.each(cases)("when %s", async (_name, broken, expected, along = withQuestion) => {
    const { driver } = scripted(good);
    const { end, after } = await run({ ...driver, ...broken(driver) }, undefined, along);
    expect(end).toBeInstanceOf(PathError);
    expect(end).toMatchObject(expected);
    expect(after).toBeGreaterThanOrEqual(4000);
    expect(after).toBeLessThan(4500);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("with currentText a run reads", () => {
  const failure = (code: FailureCode) => ({
    code,
    texts: (["en", "es", "pt"] as const).map((locale) => failureText(code, locale)),
  });
  const refused: LoginPath = {
    ...path,
    steps: [
      ...path.steps.slice(0, 1),
      {
        action: { type: "submit" },
        sentence: "the form is sent",
        expected: "failed",
        failure: failure("wrong_credentials"),
      },
    ],
  };
  const unreachable: LoginPath = {
    ...path,
    start: "failed",
    startFailure: failure("network_failed"),
    steps: [],
  };
  const looks = { ...good, submit: ["submitting", "failed"] };
  const ownText = (code: string) => `Oops: ${code}`;

  test.each<[string, string, LoginPath, RunPathOptions?]>([
    ["a failure's text in English", "Sorry. The user name or the password is not right. Again?", refused],
    ["in Spanish, over two lines", "El usuario o la contraseña\n  no son correctos.", refused],
    ["in Portuguese", "O usuário ou a senha não estão corretos.", refused],
    ["in the screen's own words", "Oops: wrong_credentials", refused, { failureText: ownText }],
  ])("%s", async (_name, shown, along, options) => {
    expect((await run({ ...scripted(looks).driver, currentText: () => shown }, options, along)).end).toBe("passed");
  });

  test.each<[string, string, LoginPath, string, RunPathOptions?]>([
    ["no text", "", refused, "The user name or the password is not right."],
    ["another failure's text", "The code is wrong.", refused, "The user name or the password is not right."],
    [
      "not its own words",
      "The user name or the password is not right.",
      refused,
      "Oops: wrong_credentials",
      { failureText: ownText },
    ],
  ])("and finds out a failure with %s", async (_name, shown, along, text, options) => {
    const error = await readError({ ...scripted(looks).driver, currentText: () => shown }, options, along);
    expect(error).toMatchObject({ code: "text_not_shown", step: 1, actual: "failed", text });
    expect(error.message).toBe(
      `After "the form is filled in", "the form is sent": the screen shows "failed" without the text "${text}".`,
    );
  });

  test("a failure that is there from the start", async () => {
    const { driver } = scripted({ start: ["failed"] });
    const error = await readError({ ...driver, currentText: () => "" }, undefined, unreachable);
    expect(error).toMatchObject({ code: "text_not_shown", step: -1 });
  });

  test("the bank's question, which may come after its step", async () => {
    const texts = ["", "", "Code, please"];
    const slow = { ...scripted(good).driver, currentText: async () => texts.shift() ?? "Code, please" };
    expect((await run(slow, undefined, withQuestion)).end).toBe("passed");
    const mute = await readError({ ...scripted(good).driver, currentText: () => "Code" }, undefined, withQuestion);
    expect(mute).toMatchObject({ code: "text_not_shown", step: 1, actual: "answering", text: "Code, please" });
  });
});
