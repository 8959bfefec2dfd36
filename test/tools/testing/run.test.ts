import { describeFailure, type FailureCode } from "ventanilla";
import {
  type FieldLabels,
  fetchFor,
  type LinkDriver,
  type LoginPath,
  PathError,
  type Received,
  type RunPathOptions,
  runPath,
  viewDriver,
} from "ventanilla/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PathStep } from "../../../src/tools/testing/path-types.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const path: LoginPath = {
  flow: "login",
  name: "When all goes well, the login succeeds",
  number: 2,
  count: 59,
  provider: "test",
  account: { provider: "test", country: "UY", username: "12345", password: "gfdsa", shows: "logs in" },
  detail: { name: "Banco de prueba", country: "UY", auth_fields: [], account_type: [] },
  faults: [],
  settings: {},
  start: "idle",
  startScreen: {},
  steps: [
    {
      action: { type: "fill", values: { username: "12345" } },
      sentence: "the form is filled in",
      expected: "idle",
    },
    { action: { type: "submit" }, sentence: "the form is sent", expected: "awaitingInteraction" },
    { action: { type: "answer", answer: "8888" }, sentence: "the code is given", expected: "loggedIn" },
  ],
};

type LoginStep = LoginPath["steps"][number];

const question = "Code, please";
const [fill, send, answer] = path.steps as [PathStep, PathStep, PathStep];
const along = (...steps: readonly (PathStep | LoginStep)[]) => ({ ...path, steps }) as LoginPath;
const atQuestion = along(fill, { ...send, question });
const withQuestion = along(fill, { ...send, question }, answer);
const again = along(fill, send, { ...answer, sentence: "a wrong code is given", expected: "awaitingInteraction" });
const late = along(fill, send, { action: { type: "wait" }, sentence: "the time runs out", expected: "failed" });

type Looks = Partial<Record<"start" | "fill" | "submit" | "answer", readonly string[]>>;

const times = (count: number, step: string) => Array.from({ length: count }, () => step);
const good = { fill: ["idle"], submit: ["submitting", "awaitingInteraction"], answer: ["submitting", "loggedIn"] };

/** A driver whose screen shows the steps of a script, one for each read; the last one stays. */
function scripted(looks: Looks) {
  const done: unknown[] = [];
  let left = [...(looks.start ?? ["idle"])];
  let last = "";
  const acts =
    (name: "fill" | "submit" | "answer") =>
    (...values: unknown[]) => {
      done.push([name, ...values]);
      left = [...(looks[name] ?? [])];
    };
  const {
    currentText: _,
    currentFields: __,
    ...verbs
  } = viewDriver(() => {
    throw new Error("no view");
  });
  const driver: LinkDriver = {
    ...verbs,
    fill: acts("fill"),
    submit: acts("submit"),
    answer: acts("answer"),
    currentState() {
      last = left.shift() ?? last;
      return last;
    },
  };
  return { driver, done };
}

/** Leaves the sentence in the message of an error, and returns the lines below it. */
function takeFirstLine(error: unknown): readonly string[] {
  if (!(error instanceof PathError)) return [];
  const [sentence = "", ...lines] = error.message.split("\n");
  error.message = sentence;
  return lines;
}

/** How a run ends, and how long it takes. */
async function run(driver: LinkDriver, steps = path, options?: RunPathOptions) {
  const start = Date.now();
  // Read at the end of the run: the timers that follow may be of other tests of this process.
  const ended = runPath(steps, driver, options).then(
    () => ({ end: "passed" as const, after: Date.now() - start }),
    (error: unknown) => ({ end: error, after: Date.now() - start, lines: takeFirstLine(error) }),
  );
  await vi.runAllTimersAsync();
  expect(vi.getTimerCount()).toBe(0);
  return ended;
}

describe("a run along a path", () => {
  test("does each action as soon as the screen rests", async () => {
    const { driver, done } = scripted(good);
    const { end, after } = await run(driver);
    expect(end).toBe("passed");
    expect(done).toEqual([["fill", { username: "12345" }], ["submit"], ["answer", "8888"]]);
    expect(after).toBeLessThan(100);
  });

  test.each<[string, Looks, LoginPath, RunPathOptions?]>([
    [
      "is slow within its time",
      { ...good, submit: [...times(20, "submitting"), "awaitingInteraction"] },
      path,
      { timeout: 300 },
    ],
    ["is busy before it shows the same step again", { ...good, answer: ["submitting", "awaitingInteraction"] }, again],
    ["has to be waited for", { ...good, submit: [...times(3, "awaitingInteraction"), "failed"] }, late],
  ])("passes where the screen %s", async (_name, looks, steps, options) => {
    const { driver, done } = scripted(looks);
    expect((await run(driver, steps, options)).end).toBe("passed");
    expect(done).toHaveLength(steps.steps.filter(({ action }) => action.type !== "wait").length);
  });

  describe("at a step where a request is held", () => {
    const held = "POST /login/";
    const cancel = { action: { type: "cancel" }, sentence: "the login is cancelled", expected: "failed" } as const;
    const path: LoginPath = {
      ...along(fill, { ...send, expected: "submitting", held, requests: { [held]: 1 } }, cancel),
      faults: [{ request: held, what: "held" }],
    };

    test("goes on once the bank has got it", async () => {
      const { driver } = scripted({ submit: ["submitting"], fill: ["failed"] });
      const received: Received[] = [];
      const atCancel: number[] = [];
      const screen: LinkDriver = {
        ...driver,
        fill() {},
        submit() {
          driver.submit();
          setTimeout(() => received.push({ request: held, values: { username: "12345" } }), 200);
        },
        cancel() {
          atCancel.push(received.length);
          driver.fill({});
        },
        received: () => received,
      };
      expect((await run(screen, path)).end).toBe("passed");
      expect(atCancel).toEqual([1]);
    });

    test("ends where the bank never gets it", async () => {
      const { driver } = scripted({ fill: ["idle"], submit: ["submitting"] });
      const received: Received[] = [{ request: "GET /provider/{code}/", values: { code: "test" } }];
      const { end } = await run({ ...driver, received: () => received }, path);
      const message =
        'After "the form is filled in", "the form is sent": the screen shows "submitting", and this path\'s bank did not get POST /login/.';
      expect(end).toMatchObject({ code: "request_missing", gave: held, step: 1, message });
    });

    test("ends without a contradiction where the bank gets it during the last look", async () => {
      const { driver } = scripted({ fill: ["idle"], submit: ["submitting"] });
      let isSent = false;
      let isLooking = false;
      const slow: LinkDriver = {
        ...driver,
        submit() {
          isSent = true;
          driver.submit();
        },
        currentState() {
          isLooking = true;
          return driver.currentState();
        },
        // The last call is not part of a read.
        received() {
          const hasGot = isSent && !isLooking;
          isLooking = false;
          return hasGot ? [{ request: held, values: { username: "12345" } }] : [];
        },
      };
      const { end, lines } = (await run(slow, path)) as { end: unknown; lines: readonly string[] };
      expect(end).toMatchObject({
        code: "late",
        message: expect.stringMatching(
          /"submitting" as expected, but the bank got POST \/login\/ when the time was up\.$/,
        ),
      });
      expect(lines[1]).toBe("The bank got: POST /login/ username=12345");
    });

    test.each([
      ["a button that can be pressed again ends it", "submit", "pressed_twice"],
      ["a button that is disabled does not", undefined, "passed"],
    ])("%s", async (_, button, code) => {
      const { driver } = scripted({ submit: ["submitting"], fill: ["failed"] });
      const screen: LinkDriver = { ...driver, fill() {}, cancel: () => driver.fill({}), pressTwice: () => button };
      const { end } = await run(screen, path);
      if (code === "passed") return expect(end).toBe("passed");
      const message =
        'After "the form is filled in", "the form is sent": the screen shows "submitting", and its button "submit" can be pressed again before the response.';
      expect(end).toMatchObject({ code, button, message });
    });
  });

  describe("at a step that comes from a response of the bank", () => {
    const steps = along(
      fill,
      { ...send, requests: { "POST /login/": 1 } },
      { ...answer, requests: { "POST /login/": 2 } },
    );
    const login: Received = { request: "POST /login/", values: { otp: "8888" } };

    test.each<[string, Received[], string]>([
      [
        "nothing",
        [],
        `the screen shows "awaitingInteraction", and this path's bank got nothing: does it talk to another one?`,
      ],
      [
        "another request",
        [{ request: "GET /provider/", values: {} }],
        `the screen shows "awaitingInteraction", and this path's bank did not get POST /login/.`,
      ],
    ])("ends where the bank got %s", async (_, received, said) => {
      const { end } = await run({ ...scripted(good).driver, received: () => received }, steps);
      expect(end).toMatchObject({ code: "request_missing", step: 1, message: `${onceSent} ${said}` });
    });

    test("ends where the second of two requests is missing", async () => {
      const { end } = await run({ ...scripted(good).driver, received: () => [login] }, steps);
      expect(end).toMatchObject({
        code: "request_missing",
        step: 2,
        message: expect.stringMatching(
          /: the screen shows "loggedIn", and this path's bank got POST \/login\/ once instead of twice\.$/,
        ),
      });
    });

    test("says beside a wrong step that nothing was sent", async () => {
      const { driver } = scripted({ ...good, submit: ["idle"] });
      const { end } = await run({ ...driver, received: () => [] }, steps);
      expect(end).toMatchObject({
        code: "state_not_shown",
        gave: undefined,
        message: `${onceSent} the screen shows "idle", expected "awaitingInteraction", and this path's bank did not get POST /login/.`,
      });
    });

    test.each<[string, Looks, code: string, said: string]>([
      ["", good, "request_repeated", '"awaitingInteraction"'],
      [
        " and a wrong step is shown",
        { ...good, submit: ["failed"] },
        "state_not_shown",
        '"failed", expected "awaitingInteraction"',
      ],
    ])("ends where a login was sent twice%s", async (_, looks, code, said) => {
      const received: Received[] = [];
      const { driver } = scripted(looks);
      const submit = () => {
        received.push(...Array(2).fill({ request: "POST /login/", values: { username: "12345" } }));
        driver.submit();
      };
      const { end } = await run({ ...driver, submit, received: () => received }, steps);
      const message = `${onceSent} the screen shows ${said}, and this path's bank got POST /login/ twice instead of once.`;
      expect(end).toMatchObject({ code, step: 1, message });
    });

    test("asks for another bank if a wrong step is shown, too", async () => {
      const { driver } = scripted({ ...good, submit: ["failed"] });
      const { end } = await run({ ...driver, received: () => [] }, steps);
      expect(end).toMatchObject({
        code: "state_not_shown",
        message: `${onceSent} the screen shows "failed", expected "awaitingInteraction", and this path's bank got nothing: does it talk to another one?`,
      });
    });

    test("knows the bank of the path if the driver has no received", async () => {
      fetchFor(steps);
      expect((await run(scripted(good).driver, steps)).end).toMatchObject({ code: "request_missing", received: [] });
      const bank = fetchFor(steps);
      const { driver } = scripted(good);
      const body = () => new URLSearchParams({ username: "12345", otp: "8888" });
      const ask = () => bank("http://bank.test/login/", { method: "POST", body: body() });
      const sending: LinkDriver = {
        ...driver,
        submit: () => ask().then(() => driver.submit()),
        answer: (given) => ask().then(() => driver.answer(given)),
      };
      expect((await run(sending, steps)).end).toBe("passed");
    });
  });

  test("takes promises, and ends at its time-out", async () => {
    const { driver } = scripted({ ...good, submit: ["submitting"] });
    const submit = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      driver.submit();
    };
    const { end, after } = await run({ ...driver, submit, currentState: async () => driver.currentState() }, path, {
      timeout: 300,
    });
    expect(end).toMatchObject({ step: 1, actual: "submitting" });
    expect(after).toBeGreaterThanOrEqual(400);
    expect(after).toBeLessThan(500);
  });
});

test("the time-out counts from the last change, and a screen that flickers is stuck", async () => {
  const slow = (end: string, step = "submitting") => [...times(20, step), end];
  const right = { fill: ["idle"], submit: slow("awaitingInteraction"), answer: slow("loggedIn") };
  const { end, after } = await run(scripted(right).driver, path, { timeout: 300 });
  expect(end).toBe("passed");
  expect(after).toBeGreaterThan(300);
  const stuck = await run(scripted({ ...right, answer: slow("submitting", "awaitingInteraction") }).driver, path, {
    timeout: 300,
  });
  expect(stuck.end).toMatchObject({ step: 2, actual: "submitting" });
  expect(stuck.after).toBeGreaterThan(600);
  const flickering = Array.from({ length: 1000 }, (_, look) => (look % 2 ? "awaitingInteraction" : "submitting"));
  const { after: flickered } = await run(scripted({ ...right, answer: flickering }).driver, path, { timeout: 300 });
  expect(flickered).toBeLessThan(1000);
});

const onceSent = 'After "the form is filled in", "the form is sent":';

describe("the error's message is a sentence if the screen shows", () => {
  const flickering = Array.from({ length: 1000 }, (_, look) => (look % 2 ? "awaitingInteraction" : "submitting"));
  test.each<[string, Looks, message: string, LoginPath?]>([
    [
      "another step for a moment",
      { ...good, submit: ["submitting", "awaitingInteraction", "failed"] },
      `${onceSent} the screen shows "failed", expected "awaitingInteraction".`,
    ],
    [
      "the step at every second look",
      { ...good, submit: flickering },
      `${onceSent} the screen shows "submitting", expected "awaitingInteraction".`,
    ],
    [
      "the step of before, and then another one",
      { ...good, answer: [...times(4, "awaitingInteraction"), "failed"] },
      `${onceSent.slice(0, -1)}, "a wrong code is given": the screen shows "failed", expected "awaitingInteraction".`,
      again,
    ],
    ["a wrong step at first", { start: ["linked"] }, 'At first: the screen shows "linked", expected "idle".'],
    ["nothing", { start: [""] }, 'At first: the screen shows nothing, expected "idle".'],
  ])("%s", async (_name, looks, message, steps) => {
    const { end } = await run(scripted(looks).driver, steps);
    expect(end).toMatchObject({ code: "state_not_shown", message });
    expect(end).not.toHaveProperty("cause");
  });

  test("the same step for ever, and its members say the same", async () => {
    const { end } = await run(scripted({ ...good, answer: ["awaitingInteraction"] }).driver);
    expect(end).toBeInstanceOf(PathError);
    expect(end).toMatchObject({
      name: "PathError",
      code: "state_not_shown",
      path: "When all goes well, the login succeeds",
      step: 2,
      sentence: "the code is given",
      expected: "loggedIn",
      actual: "awaitingInteraction",
    });
    expect((await run(scripted({ start: [""] }).driver)).end).toMatchObject({ step: -1, sentence: "" });
  });

  test("any step when the driver throws", async () => {
    const { driver } = scripted(good);
    const cause = new Error("there is no such button");
    const submit = () => {
      throw cause;
    };
    expect((await run({ ...driver, submit })).end).toMatchObject({
      code: "driver_failed",
      cause,
      message: `${onceSent} the driver failed (there is no such button), and the screen shows "idle", expected "awaitingInteraction".`,
    });
    const currentState = () => Promise.reject("the page is closed");
    const message = expect.stringContaining("the driver failed (the page is closed)");
    expect((await run({ ...driver, currentState })).end).toMatchObject({ message });
  });
});

describe("a run ends 4 seconds after the last change", () => {
  const never = () => new Promise<never>(() => {});
  const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  test.each<[string, (driver: LinkDriver) => Partial<LinkDriver>, Partial<PathError>, before?: number]>([
    [
      "a step never shows",
      () => ({ answer: () => {} }),
      { step: 2, expected: "loggedIn", actual: "awaitingInteraction" },
    ],
    [
      "a click never ends",
      () => ({ submit: never }),
      {
        step: 1,
        actual: "idle",
        message: expect.stringContaining("the driver failed (it did not end in time)"),
      },
    ],
    ["the step is never read", () => ({ currentState: never }), { step: -1, actual: "" }],
    [
      "the page is gone in the middle",
      (driver) => {
        let isGone = false;
        return {
          submit: () => {
            isGone = true;
            return never();
          },
          currentState: () => (isGone ? never() : driver.currentState()),
        };
      },
      { step: 1, actual: "" },
    ],
    [
      "the texts are never read",
      () => ({ currentText: never }),
      { code: "state_not_shown", step: 1, actual: "submitting" },
    ],
    [
      "everything is slow, and then it is stuck",
      (driver) => ({
        fill: (values) => later(1500).then(() => driver.fill(values)),
        submit: () => later(1500).then(() => driver.submit()),
        answer: () => {},
      }),
      { step: 2, actual: "awaitingInteraction" },
      3000,
    ],
  ])("when %s", async (_name, broken, expected, before = 0) => {
    const { driver } = scripted(good);
    const { end, after } = await run({ ...driver, ...broken(driver) }, withQuestion);
    expect(end).toBeInstanceOf(PathError);
    expect(end).toMatchObject(expected);
    expect(after).toBeGreaterThanOrEqual(before + 4000);
    expect(after).toBeLessThan(before + 4500);
  });

  test.each([
    ["with its default time-out it waits 0.8 seconds for a picture", {}, undefined, 4800],
    ["with a longer one it waits a fifth of that", { timeout: 20_000 }, "left.png", 23_000],
  ])("%s", async (_name, options, picture, length) => {
    const takePicture = () => later(3000).then(() => "left.png");
    const { end, after } = await run({ ...scripted(good).driver, answer: () => {}, takePicture }, path, options);
    expect(end).toMatchObject({ code: "state_not_shown", picture });
    expect(Math.abs(after - length)).toBeLessThan(100);
  });
});

// What a driver takes for each call: in a DOM emulation, in a browser, in a browser far away.
describe.each([0, 5, 30, 200])(
  "with a driver that takes %i ms for each call, the last thing that was wrong counts:",
  (took) => {
    const slow = (driver: LinkDriver): LinkDriver => {
      const later = async <Value>(value: Value) => {
        if (took > 0) await new Promise((resolve) => setTimeout(resolve, took));
        return value;
      };
      const { currentState, currentText = () => "" } = driver;
      return {
        ...driver,
        currentState: async () => later(await currentState()),
        currentText: async () => later(await currentText()),
      };
    };
    const failure = { code: "wrong_credentials" as const, texts: ["Wrong."] };
    const refused = along(fill, { ...send, expected: "failed", failure });

    test("a text that is not shown", async () => {
      const { driver } = scripted({ ...good, submit: ["failed"] });
      const { end } = await run(slow({ ...driver, currentText: () => "" }), refused);
      expect(end).toMatchObject({
        code: "text_not_shown",
        message: `${onceSent} the screen shows "failed" without the text "Wrong.".`,
      });
    });

    test("a step that is not shown", async () => {
      const { driver } = scripted({ ...good, submit: ["submitting"] });
      expect((await run(slow(driver))).end).toMatchObject({ code: "state_not_shown", actual: "submitting" });
    });

    test("and a right screen passes", async () => {
      const { driver } = scripted(good);
      expect((await run(slow({ ...driver, currentText: () => question }), atQuestion)).end).toBe("passed");
    });
  },
);

test("a driver that can't read the screen for a moment is asked again, and its last error is the cause", async () => {
  const { driver } = scripted({ ...good, answer: ["submitting", "loggedIn"] });
  let looks = 0;
  const currentState = () => {
    looks += 1;
    if (looks % 3 === 1) throw new Error("the page draws itself");
    return driver.currentState();
  };
  expect((await run({ ...driver, currentState })).end).toBe("passed");
  let isClosed = false;
  const closing: LinkDriver = {
    ...scripted({ ...good, submit: ["submitting"] }).driver,
    currentState() {
      const step = isClosed ? undefined : closed.currentState();
      isClosed ||= step === "submitting";
      if (step === undefined) throw new Error("the page is closed");
      return step;
    },
  };
  const closed = scripted({ ...good, submit: ["submitting"] }).driver;
  const { end } = await run({ ...closing, fill: closed.fill, submit: closed.submit });
  expect(end).toMatchObject({ code: "state_not_shown", cause: { message: "the page is closed" } });
});

describe("below the sentence, the error's message", () => {
  afterEach(() => vi.unstubAllEnvs());
  const runners = ["VITEST", "JEST_WORKER_ID", "TEST_WORKER_INDEX", "NODE_TEST_CONTEXT"];
  const name = `"${path.name}"`;

  test.each([
    ["VITEST", `npx vitest run -t ${name}`],
    ["JEST_WORKER_ID", `npx jest -t ${name}`],
    ["TEST_WORKER_INDEX", `npx playwright test -g ${name}`],
    ["NODE_TEST_CONTEXT", `node --test --test-name-pattern ${name}`],
    ["", `paths.filter(({ name }) => name === ${name})`],
  ])("has the command of the test runner that sets %o", async (runner, command) => {
    for (const other of runners) vi.stubEnv(other, other === runner ? "1" : undefined);
    const { lines } = (await run(scripted({ start: [""] }).driver)) as { readonly lines: readonly string[] };
    expect(lines[0]).toBe(`Path 2 of 59, alone: ${command}`);
  });

  test("has what the bank got, and the picture that the driver takes", async () => {
    const received: Received[] = [{ request: "POST /login/", values: { username: "12345", otp: "1111" } }];
    const driver: LinkDriver = {
      ...scripted({ start: [""] }).driver,
      received: () => received,
      takePicture: async () => "pictures/1.png",
    };
    const { end, lines } = (await run(driver)) as { readonly end: unknown; readonly lines: readonly string[] };
    expect(lines.slice(1)).toEqual([
      "The bank got: POST /login/ username=12345 otp=1111",
      expect.stringContaining("The time was up"),
      "The picture: pictures/1.png",
    ]);
    expect(end).toMatchObject({ received, picture: "pictures/1.png" });
    const without = { ...driver, takePicture: () => Promise.reject(new Error("no screen")), received: () => [] };
    const other = (await run(without)) as { readonly lines: readonly string[] };
    expect(other.lines[1]).toBe("The bank got: nothing");
  });
});

describe("with currentText, a run finds", () => {
  const failure = (code: FailureCode) => ({
    code,
    texts: (["en", "es", "pt"] as const).map((locale) => describeFailure(code, locale).text),
  });
  const refused = along(fill, { ...send, expected: "failed", failure: failure("wrong_credentials") });
  const unreachable: LoginPath = { ...along(), start: "failed", startScreen: { failure: failure("network_failed") } };
  const english = "The user name, the password or another detail is not right. Check them and try again.";
  const ownText = { failureText: (code: string) => `Oops: ${code}` };

  /** A screen that is right, but for its text. */
  const showing = (steps: LoginPath, currentText: LinkDriver["currentText"]) => {
    const looks = steps.steps.map(({ action, expected }) => [action.type, [expected]]);
    return { ...scripted({ start: [steps.start], ...Object.fromEntries(looks) }).driver, currentText } as LinkDriver;
  };

  test.each<[string, string, LoginPath, RunPathOptions?]>([
    ["a failure's text in English", `Sorry. ${english} Again?`, refused],
    [
      "in Spanish, over two lines",
      "El usuario, la contraseña u otro dato\n  no son correctos. Revíselos y vuelva a intentarlo.",
      refused,
    ],
    ["in Portuguese", "Usuário, senha ou outro dado incorreto. Confira e tente novamente.", refused],
    ["in the screen's own words", "Oops: wrong_credentials", refused, ownText],
    ["the bank's question", question, atQuestion],
  ])("%s, which may come after its step", async (_name, shown, steps, options) => {
    const before = ["", ""];
    const driver = showing(steps, async () => before.shift() ?? shown);
    expect((await run(driver, steps, options)).end).toBe("passed");
  });

  const onceFailed = `${onceSent} the screen shows "failed"`;
  test.each<[string, string, LoginPath, message: string, text: string, RunPathOptions?]>([
    ["no text", "", refused, onceFailed, english],
    ["another failure's text", "The code is wrong.", refused, onceFailed, english],
    ["not its own words", english, refused, `${onceFailed} ("${english}")`, "Oops: wrong_credentials", ownText],
    [
      "no text at first",
      "",
      unreachable,
      'At first: the screen shows "failed"',
      describeFailure("network_failed", "en").text,
    ],
    ["half a question", "Code", withQuestion, onceFailed.replace("failed", "awaitingInteraction"), question],
  ])("and fails at %s", async (_name, shown, steps, message, text, options) => {
    const { end } = await run(
      showing(steps, () => shown),
      steps,
      options,
    );
    expect(end).toMatchObject({ code: "text_not_shown", text, message: `${message} without the text "${text}".` });
  });
});

/** A screen that shows each step of a path, and sends the requests of each action. */
function walking(steps: LoginPath, requests: readonly (readonly Received[])[] = [], currentText = () => "") {
  const received: Received[] = [];
  let done = -1;
  const act = () => {
    done += 1;
    received.push(...(requests[done] ?? []));
  };
  const currentState = () => steps.steps[done]?.expected ?? steps.start;
  const verbs = { ...scripted({}).driver, fill: act, submit: act, answer: act, choose: act };
  return { ...verbs, currentState, currentText, received: () => received } satisfies LinkDriver;
}

describe("with received, a run finds that the bank got another value:", () => {
  const end = "loggedIn" as const;
  const client: LoginStep = {
    action: { type: "choose", value: "FIC-2" },
    sentence: "a client is chosen",
    expected: end,
  };
  const credentials = { provider: "test", username: "12345", password: "gfdsa" };
  const login = (values: Received["values"]): Received => ({ request: "POST /login/", values });
  const submitted = along(fill, { ...send, expected: end });
  const chosen = along(fill, { ...send, expected: end }, client);

  test.each<[string, LoginPath, Received, got: string, gave: string]>([
    ["an answer", path, login({ ...credentials, otp: "1111" }), "1111", "8888"],
    [
      "a value of the form",
      submitted,
      login({ ...credentials, username: "54321" }),
      "username 54321",
      "username 12345",
    ],
    [
      "a value that was not given",
      along({ ...fill, fields: ["username", "token"], filledFields: ["username"] }, { ...send, expected: end }),
      login({ ...credentials, token: "null" }),
      "token null",
      "no token",
    ],
    [
      "a value without its blanks",
      along({ ...fill, action: { type: "fill", values: { password: " a" } } }, { ...send, expected: end }),
      login({ password: "a" }),
      "password a",
      'password " a"',
    ],
    ["a value less", submitted, login({ provider: "test" }), "no username", "username 12345"],
    ["a client", chosen, { request: "GET /client/{id}/", values: { id: "1" } }, "1", "FIC-2"],
  ])("%s", async (_, steps, request, got, gave) => {
    const requests = steps.steps.map((_, index) => (index === steps.steps.length - 1 ? [request] : []));
    expect((await run(walking(steps, requests), steps)).end).toMatchObject({
      code: "value_differs",
      got,
      gave,
      message: expect.stringMatching(
        `: the bank got ${got}, the path gave ${gave}, and the screen shows "loggedIn"\\.$`,
      ),
    });
  });

  test.each<[string, LoginPath, Received[]]>([
    ["the same one", path, [login({ ...credentials, type: "pers", otp: "8888" })]],
    ["the same one in a form with more fields", submitted, [login({ ...credentials, type: "pers" })]],
    ["none yet", path, []],
  ])("and passes at %s", async (_, steps, requests) => {
    const each = steps.steps.map((_, index) => (index === steps.steps.length - 1 ? requests : []));
    expect((await run(walking(steps, each), steps)).end).toBe("passed");
  });

  test("and names it beside a wrong step, with the failure that the screen shows", async () => {
    const { driver } = scripted({ ...good, answer: ["failed"] });
    const { text } = describeFailure("wrong_answer");
    const { end } = await run({ ...driver, received: () => [], currentText: () => `Sorry!\n${text}` });
    expect(end).toMatchObject({
      code: "state_not_shown",
      message: expect.stringContaining(
        `: the bank got no answer, the path gave 8888, and the screen shows "failed" ("${text}"), expected "loggedIn".`,
      ),
    });
  });
});

describe("with currentText, a run finds the text of an earlier failure", () => {
  const failure = { code: "wrong_credentials" as const, texts: ["Wrong.", "Incorrecto."] };
  const failed: PathStep = { ...send, expected: "failed", failure };
  const again = along(fill, failed, { ...fill, expected: "failed", failure }, send);

  test.each(["Wrong.", "Ay. Incorrecto."])("and fails: %s", async (text) => {
    expect(
      (
        await run(
          walking(again, [], () => text),
          again,
        )
      ).end,
    ).toMatchObject({
      code: "text_still_shown",
      step: 3,
      text: expect.stringMatching(/Wrong|Incorrecto/),
      message: expect.stringMatching(/the screen shows "awaitingInteraction" with the text ".+" of an earlier step\.$/),
    });
  });

  test("and passes once it is gone, or is a part of the text of a new failure", async () => {
    const shown = { left: 20 };
    const fades = () => (shown.left-- > 0 ? "Wrong." : "");
    expect((await run(walking(again, [], fades), again)).end).toBe("passed");
    const other = { code: "user_blocked" as const, texts: ["Wrong. Wait a day."] };
    const worse = along(fill, failed, { ...failed, failure: other });
    const texts = ["Wrong.", "Wrong. Wait a day."];
    const driver = walking(worse);
    let sent = 0;
    const submit = () => {
      sent += 1;
      driver.submit();
    };
    expect((await run({ ...driver, submit, currentText: () => texts[sent - 1] ?? "" }, worse)).end).toBe("passed");
  });
});

describe("with currentFields, a run finds", () => {
  const typed: PathStep = { ...fill, fields: ["username", "password"], filledFields: ["username"] };
  const failed: PathStep = { ...send, expected: "failed", fields: ["username", "password"], emptyFields: ["password"] };
  const other: PathStep = { ...send, fields: ["otp"], emptyFields: ["otp"] };
  const steps = along(typed, failed, other);
  const right: Readonly<Record<string, string>>[] = [
    { username: "ana", password: "" },
    { username: "ana", password: "" },
    // Of what the path knows nothing, such as the search of banks, nothing is said.
    { otp: "", search: "faro" },
  ];

  test.each<[string, place: number, fields: Readonly<Record<string, string>>, field: string, said: string]>([
    [
      "what was typed to be lost",
      0,
      { username: "", password: "" },
      "username",
      'shows "idle", and its field "username" is empty.',
    ],
    ["a field that is missing", 1, { username: "" }, "password", 'shows "failed" without the field "password".'],
    [
      "what was sent",
      1,
      { username: "", password: "x" },
      "password",
      'shows "failed", and its field "password" is not empty.',
    ],
    [
      "a field of another form",
      2,
      { otp: "", username: "" },
      "username",
      'shows "awaitingInteraction" with the field "username" of another form.',
    ],
  ])("%s", async (_, place, fields, field, said) => {
    let done = -1;
    const driver = walking(steps);
    const act = () => {
      done += 1;
      driver.fill();
    };
    const currentFields = () => (done === place ? fields : (right[done] ?? {}));
    const { end } = await run({ ...driver, fill: act, submit: act, currentFields }, steps);
    expect(end).toMatchObject({ code: "field_differs", field, message: expect.stringContaining(said) });
  });

  test.each([
    ["", right],
    [" that leaves the form out after a failure which another try can't mend", right.with(1, {})],
  ])("nothing on a right screen%s", async (_, shown) => {
    let done = -1;
    const driver = walking(steps);
    const act = () => {
      done += 1;
      driver.fill();
    };
    expect((await run({ ...driver, fill: act, submit: act, currentFields: () => shown[done] ?? {} }, steps)).end).toBe(
      "passed",
    );
  });
});

describe("with fieldLabels, a run finds", () => {
  const choices = (label: string) => [{ value: "corp", label }];
  const labels = {
    en: { username: { label: "User name" }, type: { label: "Kind", choices: choices("Company") } },
    es: { username: { label: "Usuario" }, type: { label: "Tipo", choices: choices("Empresa") } },
    pt: { username: { label: "Usuário" }, type: { label: "Tipo", choices: choices("Empresa") } },
  };
  const steps = along({ ...fill, fields: ["username", "type"], labels });
  const english = { username: { label: "User name *" }, type: { label: "Kind", choices: choices("Company") } };
  const spanish = { username: { label: "Usuario:" }, type: { label: "Tipo", choices: choices("Empresa") } };

  test.each<[string, FieldLabels, field: string, said: string, RunPathOptions?]>([
    [
      "a label that is missing",
      { type: english.type },
      "username",
      'field "username" has no label, expected "User name"',
    ],
    [
      "a choice in another language",
      { ...english, type: { label: "Kind", choices: choices("Empresa") } },
      "type",
      'field "type" offers "Empresa", expected "Company"',
    ],
    [
      "another value of a choice",
      { ...english, type: { label: "Kind", choices: [{ value: "Company", label: "Company" }] } },
      "type",
      'field "type" offers the value "Company", expected "corp"',
    ],
    [
      "a choice that is missing",
      { ...english, type: { label: "Kind", choices: [{ value: "", label: "" }] } },
      "type",
      'field "type" lacks the choice "Company"',
    ],
    [
      "another language than the given one",
      english,
      "username",
      'field "username" is labelled "User name *", expected "Usuario"',
      { locale: "es" },
    ],
  ])("%s", async (_, shown, field, said, options) => {
    const { driver } = scripted(good);
    const { end } = await run({ ...driver, fieldLabels: () => shown }, steps, options);
    expect(end).toMatchObject({ code: "label_differs", field, message: expect.stringContaining(`and its ${said}.`) });
  });

  test.each<[string, FieldLabels, RunPathOptions?]>([
    ["in English", english],
    ["in Spanish", spanish],
    ["that has no form", {}],
    [
      "in its own words",
      { ...english, username: { label: "RUT" } },
      { labelText: (name) => (name === "username" ? "RUT" : undefined) },
    ],
  ])("nothing on a right screen %s", async (_, shown, options) => {
    const { driver } = scripted(good);
    expect((await run({ ...driver, fieldLabels: () => shown }, steps, options)).end).toBe("passed");
  });

  test("nothing where the question stands in the place of a label", async () => {
    const asked = along({
      ...send,
      question,
      fields: ["otp"],
      labels: { en: { otp: { label: "Code" } }, es: {}, pt: {} },
    });
    const { driver } = scripted(good);
    const screen = { ...driver, fieldLabels: () => ({ otp: { label: question } }) };
    expect((await run(screen, asked, { locale: "en" })).end).toBe("passed");
  });
});

test("an optional field that a screen leaves out is named, and not as a failure of the driver", async () => {
  const steps = along({ ...fill, fields: ["username", "document"] });
  const cause = new Error("[name=document] is not shown");
  const driver: LinkDriver = {
    ...scripted(good).driver,
    fill() {
      throw cause;
    },
    currentFields: () => ({ username: "" }),
  };
  const { end } = await run(driver, steps);
  expect(end).toMatchObject({
    code: "field_differs",
    field: "document",
    cause,
    message: 'After "the form is filled in": the screen shows "idle" without the field "document".',
  });
});

test("with currentText, a run finds a client that is missing, and one of an earlier login", async () => {
  const first: PathStep = { ...send, expected: "selectClient", clients: ["Ana", "Luis"] };
  const second: PathStep = { ...send, expected: "selectClient", clients: ["Eva"] };
  const steps = along(first, second);
  const showing = async (...texts: readonly string[]) => {
    let sent = 0;
    const driver = walking(steps);
    const submit = () => {
      sent += 1;
      driver.submit();
    };
    return (await run({ ...driver, submit, currentText: () => texts[sent - 1] ?? "" }, steps)).end;
  };
  expect(await showing("Ana Luis", "Eva")).toBe("passed");
  expect(await showing("Ana", "Eva")).toMatchObject({ code: "text_not_shown", step: 0, text: "Luis" });
  expect(await showing("Ana Luis", "Eva Luis")).toMatchObject({ code: "text_still_shown", step: 1, text: "Luis" });
});

test("a screen that can change its appearance does so on its path, and another one leaves it out", async () => {
  const change: PathStep = {
    ...fill,
    action: { type: "changeAppearance" },
    sentence: "the language or the theme is changed",
  };
  const steps = along(fill, change);
  let changed = 0;
  const changeAppearance = () => {
    changed += 1;
  };
  const { driver } = scripted({ fill: ["idle"] });
  expect((await run({ ...driver, changeAppearance }, steps)).end).toBe("passed");
  expect(changed).toBe(1);
  expect((await run(driver, steps)).end).toBe("passed");
});

test("on a busy machine, the time that others take between two looks does not count", async () => {
  const { driver } = scripted({ ...good, submit: [...times(30, "submitting"), "awaitingInteraction"] });
  const currentState = () => {
    setTimeout(() => vi.setSystemTime(Date.now() + 400), 5);
    return driver.currentState();
  };
  expect((await run({ ...driver, currentState })).end).toBe("passed");
});

test("a step that is shown only when the time is over is not a contradiction", async () => {
  const { driver } = scripted({ start: [""] });
  let isOver = false;
  // Called for the first time when the time is up.
  const received = () => {
    isOver = true;
    return [];
  };
  const { end } = await run({ ...driver, received, currentState: () => (isOver ? "idle" : "") });
  const message = 'At first: the screen shows "idle" as expected, but only when the time was up.';
  expect(end).toMatchObject({ code: "late", message });
});

test.each([
  ["be seen once", ["awaitingInteraction", "failed"]],
  ["be over when a slow driver looks", ["failed"]],
])("a step that ends automatically may %s", async (_, submit) => {
  const { driver } = scripted({ ...good, submit });
  expect((await run(driver, late)).end).toBe("passed");
});

test("a failure instead of a step that ends automatically is not taken for its end", async () => {
  const failure = { code: "expired" as const, texts: ["The time is over."] };
  const expired = along(fill, send, { ...(late.steps[2] as PathStep), failure });
  const { driver } = scripted({ ...good, submit: ["failed"] });
  const { end } = await run({ ...driver, currentText: () => "The bank is not available." }, expired);
  expect(end).toMatchObject({
    code: "state_not_shown",
    message: `${onceSent} the screen shows "failed", expected "awaitingInteraction".`,
  });
});
