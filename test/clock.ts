// `.ci/full` runs the tests a year ahead, by Debian's `faketime`. The programs that a test starts with an environment of its own have the same clock.
const names = ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"];

/** The variables that set the clock of this process. */
export const clock: Readonly<Record<string, string>> = Object.fromEntries(
  names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
