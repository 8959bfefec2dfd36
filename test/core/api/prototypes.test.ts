import { describe, expect, test } from "vitest";
import { calls, clientThatReads } from "./local-bank.ts";

const long = JSON.stringify(Array.from({ length: 6_000 }, () => "evil"));

// That no prototype has another member afterwards is checked after each test, in test/properties.ts.
describe.each([
  ["a root list that begins with __proto__", `["__proto__",${long}]`],
  ["a root list that begins with constructor", `["constructor",${long}]`],
  ["a list under __proto__", `{"status":"success","__proto__":${long}}`],
  ["a list under constructor.prototype", `{"status":"success","constructor":{"prototype":${long}}}`],
  ["members under __proto__", '{"status":"success","__proto__":{"evil":true,"status":"logged_in","key":"k"}}'],
  ["banks under __proto__", `{"status":"success","providers":{"__proto__":${long}}}`],
  ["a bank with __proto__", '{"status":"success","providers":[{"code":"a","name":"A","__proto__":{"evil":true}}]}'],
  ["clients called __proto__", '{"status":"success","clients":{"__proto__":"evil","constructor":"evil"}}'],
  ["a description with __proto__", `{"status":"error","description":{"__proto__":${long}}}`],
])("%s", (_, text) => {
  test.each(calls)("in the response to %s changes no prototype", async (_, call) => {
    await call(clientThatReads({ text })).catch(() => {});
    expect(Object.keys([])).toEqual([]);
    expect(([] as unknown[])[0]).toBeUndefined();
    expect({}).not.toHaveProperty("evil");
  });
});
