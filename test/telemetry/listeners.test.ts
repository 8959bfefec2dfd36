import { login } from "ventanilla";
import { inspectAll, type LifecycleEvent, onLifecycle } from "ventanilla/telemetry";
import { afterEach, describe, expect, test, vi } from "vitest";
import { loggedIn, person, startService, unasked } from "../bank/service.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const loginWith = async (inspect: ReturnType<typeof onLifecycle>) => {
  const service = await startService([loggedIn("k")]);
  return login(service.client(), { ...person, onInteraction: unasked, inspect });
};

const throwing = () => {
  throw new RangeError("hunter two");
};

describe("a listener that throws does not break the login, and is not silent", () => {
  test("onError is told each time", async () => {
    const errors: unknown[] = [];
    const outcome = await loginWith(onLifecycle(throwing, { onError: (error) => errors.push(error) }));
    expect(outcome.status).toBe("logged_in");
    expect(errors).toEqual([new RangeError("hunter two"), new RangeError("hunter two")]);
  });

  test("so does one that rejects", async () => {
    const errors: unknown[] = [];
    const listener = async () => throwing();
    const outcome = await loginWith(onLifecycle(listener, { onError: (error) => errors.push(error) }));
    expect(outcome.status).toBe("logged_in");
    expect(errors).toHaveLength(2);
  });

  test.each([
    ["without onError", undefined],
    ["with an onError that throws", throwing],
  ])("%s the process warns, and names the error's class alone", async (_name, onError) => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const outcome = await loginWith(onLifecycle(throwing, { onError }));
    expect(outcome.status).toBe("logged_in");
    const warning = "onLifecycle: a listener threw RangeError. The login goes on; pass `onError` to see the error.";
    expect(warn.mock.calls).toEqual([
      [warning, { type: "VentanillaWarning" }],
      [warning, { type: "VentanillaWarning" }],
    ]);
  });

  test("where there are no process warnings, as in a browser, reportError is told", async () => {
    const { catchErrors } = await import("../../src/telemetry/listeners.ts");
    const reportError = vi.fn();
    vi.stubGlobal("process", undefined);
    vi.stubGlobal("reportError", reportError);
    catchErrors("onLifecycle", throwing)(undefined);
    expect(reportError.mock.calls).toEqual([[new RangeError("hunter two")]]);
  });
});

describe("inspectAll", () => {
  test("shows each event to each function, in their order, and passes over those that are not there", async () => {
    const received: string[] = [];
    const note = (name: string) => onLifecycle(({ type }) => void received.push(`${name} ${type}`));
    await loginWith(inspectAll(note("first"), undefined, note("second")));
    expect(received).toEqual([
      "first login.started",
      "second login.started",
      "first login.finished",
      "second login.finished",
    ]);
  });

  test("goes on to the next where one throws", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const events: LifecycleEvent[] = [];
    const outcome = await loginWith(
      inspectAll(
        throwing,
        onLifecycle((event) => void events.push(event)),
      ),
    );
    expect(outcome.status).toBe("logged_in");
    expect(events).toHaveLength(2);
    expect(warn).toHaveBeenCalled();
  });
});
