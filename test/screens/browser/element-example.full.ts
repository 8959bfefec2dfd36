import { describe, expect } from "vitest";
import { test } from "./screen-page.ts";
import { serveForDevelopment, setUpServer } from "./vite.ts";

describe("docs/examples/element", () => {
  const development = setUpServer(() => serveForDevelopment("element", "docs/examples/element"));

  test("starts with one command: page, relay and sandbox", async ({ open }) => {
    const screen = await open(development().url);
    await screen.logIn("test", "12345otp", "asdfg");
    await screen.answer("8888");
    await screen.waitForState("linked");
    expect(screen.consoleErrors.filter((text) => !text.startsWith("Lit is in dev mode"))).toEqual([]);
  });
});
