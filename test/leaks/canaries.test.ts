import { expect, test } from "vitest";
import { findCanaries, newCanaries } from "./canaries.ts";

const canaries = newCanaries(["password", "apiKey"]);
const { value, token } = canaries.password;
const { password } = canaries;

class Account {
  #closed = value;
  get open() {
    return this.#closed;
  }
}

class Inheritor extends Account {}

const cycle: { self?: unknown; deep: unknown } = { deep: { deeper: [{ value }] } };
cycle.self = cycle;

const hiding: [place: string, holder: unknown][] = [
  ["a text", value],
  ["a symbol", Symbol(value)],
  ["a member", { value }],
  ["the name of a member", { [value]: 1 }],
  ["a hidden member", Object.defineProperty({}, "hidden", { value })],
  ["an inherited member", Object.create({ value })],
  [
    "a getter",
    {
      get open() {
        return value;
      },
    },
  ],
  [
    "a getter that throws",
    {
      get open() {
        throw new Error(value);
      },
    },
  ],
  ["an inherited getter", new Inheritor()],
  ["a Map's values", new Map([["k", { value }]])],
  ["a Map's keys", new Map([[{ value }, 1]])],
  ["a Set", new Set([[value]])],
  ["a boxed text", Object(value)],
  ["bytes", Buffer.from(value)],
  ["an array buffer", new TextEncoder().encode(value).buffer],
  ["an address", new URL(`http://bank.test/?k=${token}`)],
  ["a form", new URLSearchParams({ value })],
  ["headers", new Headers({ k: token })],
  ["an error's cause", new Error("no", { cause: new Error("no", { cause: value }) })],
  ["a function's members", Object.assign(() => {}, { value })],
  ["a promise kept", Promise.resolve({ value })],
  ["a WeakMap", new WeakMap([[canaries, { value }]])],
  ["a WeakRef", new WeakRef(password)],
  ["what a proxy hides", new Proxy({ value }, { ownKeys: () => [], get: () => undefined })],
  ["a Map's iterator", new Map([[1, { value }]]).values()],
  ["a cycle", cycle],
];

test.each(hiding)("a canary is found in %s", (_, holder) => {
  expect(findCanaries(holder, [canaries.apiKey, password])).toContainEqual(expect.stringMatching(/^password at value/));
});
