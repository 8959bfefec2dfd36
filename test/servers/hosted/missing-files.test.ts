import { BankError } from "ventanilla";
import { afterEach, expect, test, vi } from "vitest";
import { stage } from "./stage.ts";

vi.mock("../../../src/tools/inspect/built-files.ts", () => ({
  findBuiltFile: () => {
    throw new BankError("part_missing", { field: "hosted" });
  },
}));
afterEach(() => void vi.restoreAllMocks());

test("a package whose pages are missing: each request has an HTTP 500, and onError the reason", async () => {
  const errors: unknown[] = [];
  const { hosted } = await stage({ onError: ({ code }) => void errors.push(code) });
  const { url } = await hosted.create({ user: "42" });
  for (const address of [url, `${url}x`, new URL("/elsewhere", url).href]) {
    expect((await hosted.handle(new Request(address))).status).toBe(500);
  }
  expect(errors).toEqual(["part_missing", "part_missing", "part_missing"]);
});
