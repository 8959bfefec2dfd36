import { expect, test } from "vitest";
import { exitCodes } from "../../../src/programs/cli/exit-codes.ts";
import type { Reply } from "../../bank/service.ts";
import { isLogin, watchedBank } from "../../bank/watched-bank.ts";
import { codeUser, parseLines, plainUser, runLogin } from "./program.ts";

// Which number a class has is a contract with scripts: documentation.test.ts fails where docs/cli.md has another.
test("no exit code is one of a signal or of a shell, which has 126 and up for itself", () => {
  expect(Object.values(exitCodes).filter((code) => code > 125)).toEqual([]);
  expect(new Set(Object.values(exitCodes)).size).toBe(Object.keys(exitCodes).length);
});

/** Ends of a login that no other test of the command has: its exit code, its user, what the bank responds in the sandbox's place, the options. */
const logins: Record<string, readonly [code: number, user: object, reply: Reply | undefined, ...words: string[]]> = {
  unexpected_status: [1, plainUser, { json: { status: "under_review" } }],
  network_failed: [4, plainUser, "broken"],
  request_timed_out: [5, plainUser, "held", "--timeout", "0.5"],
  rate_limited: [5, plainUser, { text: "", http: 429 }],
  cancelled: [4, codeUser, undefined, "--answer-command", "true"],
  expired: [4, codeUser, undefined, "--answer-command", "sleep 9", "--answer-timeout", "0.2"],
};

test.each(Object.entries(logins))(
  "a login ends with the exit code of %s",
  async (end, [expected, user, reply, ...words]) => {
    const { environment } = await watchedBank((request) => (isLogin(request) ? reply : undefined));
    const { code, stdout } = await runLogin("test", user, ["--json", ...words], { environment });
    const line = end === "cancelled" ? { state: end } : { state: "failed", code: end };
    expect(parseLines(stdout).at(-1)).toMatchObject(line);
    expect(code).toBe(expected);
  },
);
