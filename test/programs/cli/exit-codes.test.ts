import { expect, test } from "vitest";
import { exitCodes, signalCodes } from "../../../src/programs/cli/exit-codes.ts";
import type { Reply } from "../../bank/service.ts";
import { isLogin, watchedBank } from "../../bank/watched-bank.ts";
import { codeUser, parseLines, plainUser, runLogin } from "./program.ts";

// Which number a status has is a contract with scripts: documentation.test.ts fails where docs/cli.md has another.
test("each status has an exit code of its own, which no signal and no shell uses", () => {
  const { success: _, logged_out: __, ...codes } = exitCodes;
  expect(new Set(Object.values(codes)).size).toBe(Object.keys(codes).length);
  const signals: readonly number[] = Object.values(signalCodes);
  // A shell has 126 and up for itself.
  expect(Object.values(codes).filter((code) => code > 125 || signals.includes(code))).toEqual([]);
  expect([exitCodes.success, exitCodes.logged_in, exitCodes.logged_out]).toEqual([0, 0, 0]);
});

/** Ends of a login that no other test of the command has: its exit code, its user, what the bank responds in the sandbox's place, the options. */
const logins: Record<string, readonly [code: number, user: object, reply: Reply | undefined, ...words: string[]]> = {
  unexpected_status: [39, plainUser, { json: { status: "under_review" } }],
  network_failed: [60, plainUser, "broken"],
  request_timed_out: [61, plainUser, "held", "--timeout", "0.5"],
  rate_limited: [69, plainUser, { text: "", http: 429 }],
  cancelled: [40, codeUser, undefined, "--answer-command", "true"],
  expired: [41, codeUser, undefined, "--answer-command", "sleep 9", "--answer-timeout", "0.2"],
};

test.each(Object.entries(logins))(
  "a login ends with the exit code of %s",
  async (status, [expected, user, reply, ...words]) => {
    const { environment } = await watchedBank((request) => (isLogin(request) ? reply : undefined));
    const { code, stdout } = await runLogin("test", user, ["--json", ...words], { environment });
    expect(parseLines(stdout).at(-1)).toMatchObject({ status });
    expect(code).toBe(expected);
  },
);
