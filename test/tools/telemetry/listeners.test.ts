import { inspectAll, lifecycleTelemetry } from "ventanilla/telemetry";
import { afterEach, describe, expect, test, vi } from "vitest";
import { loggedIn, loginUnread, person, startService, unasked } from "../../bank/service.ts";

afterEach(() => void vi.restoreAllMocks());

const loginWith = async (inspect: ReturnType<typeof lifecycleTelemetry>) => {
  const service = await startService([loggedIn("k")]);
  const { state } = await loginUnread(service.client(), person, { onInteraction: unasked, inspect });
  expect(state).toBe("loggedIn");
};

const throwing = () => {
  throw new RangeError("hunter two");
};

describe("a listener that throws does not break the login, and its error is reported", () => {
  test.each([
    ["throws", throwing],
    ["rejects", async () => throwing()],
  ])("onError gets what it %s, each time", async (_name, listener) => {
    const onError = vi.fn();
    const warn = vi.spyOn(console, "warn");
    await loginWith(lifecycleTelemetry(listener, { onError }));
    expect(onError.mock.calls).toEqual([[new RangeError("hunter two")], [new RangeError("hunter two")]]);
    expect(warn).not.toHaveBeenCalled();
  });

  test.each([
    ["without onError", undefined],
    ["with an onError that throws", throwing],
  ])("%s the console warns once, and names only the class of the error", async (_name, onError) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    await loginWith(lifecycleTelemetry(throwing, { onError }));
    const warning =
      "ventanilla: lifecycleTelemetry: a listener threw RangeError. The login continues; pass `onError` to see the error.";
    expect(warn.mock.calls).toEqual([[warning]]);
  });
});

test("inspectAll calls each function in order, though one throws and one is undefined", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const received: string[] = [];
  const note = (name: string) => lifecycleTelemetry(({ type }) => void received.push(`${name} ${type}`));
  await loginWith(inspectAll(note("first"), undefined, throwing, note("second")));
  expect(received).toEqual([
    "first login.started",
    "second login.started",
    "first login.finished",
    "second login.finished",
  ]);
  expect(warn.mock.calls.map(([text]) => text)).toEqual([
    "ventanilla: inspectAll: a listener threw RangeError. The login continues.",
  ]);
});
