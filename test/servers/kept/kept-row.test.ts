import { describe, expect, test } from "vitest";
import {
  type BankResponse,
  type Decision,
  decide,
  isUnderWay,
  type KeptRow,
  type KeptStep,
  type KeptSubmit,
  type NewSubmit,
  toPageResult,
  withClaim,
  withEnd,
  withoutClaim,
  withoutOldStep,
  withResult,
} from "../../../src/servers/kept/kept-row.ts";

// What may follow what, by hand: docs/hosted.md and docs/reliability.md.

const NOW = 1_000_000;
const TIMES = { now: NOW, answerTime: 300_000, stepLifetime: 600_000 };
const EMPTY: KeptRow<string> = { door: "door", expiresAt: NOW + 900_000, forgetAt: NOW + 9e7, number: 0, sent: 0 };

const submit = (
  number: number,
  kind: NewSubmit["kind"] = "credentials",
  step?: number,
  digest = `d${number}`,
): NewSubmit => ({
  number,
  kind,
  provider: "test",
  step,
  digests: [digest],
});
const claim = (row: KeptRow<string>, one: NewSubmit, answerKind?: KeptSubmit["answerKind"]) =>
  withClaim(row, one, {
    login: "login-1",
    holder: "ana",
    at: NOW,
    mark: `m${one.number}`,
    ...(answerKind && { answerKind }),
  });

const question: BankResponse = {
  kind: "question",
  key: "key-1",
  credentials: { username: "ana", password: "1234" },
  asked: { field: "otp", context: "The code" },
};
const refused: BankResponse = {
  kind: "responded",
  response: { httpStatus: 200, body: { status: "wrong_credentials" } },
};

const underWay = claim(EMPTY, submit(1));
const asking = withResult(underWay, question, TIMES);
const choosing = withResult(underWay, { kind: "clients", key: "key-1" }, TIMES);
const blocked = withResult(underWay, { ...refused, blocking: "key-of-other" } as BankResponse, TIMES);
const afterRefusal = withResult(underWay, refused, TIMES);
const unknown = withResult(underWay, { kind: "unknown" }, TIMES);
const loggedIn = withResult(underWay, { kind: "session", key: "key-of-session" }, TIMES);
/** The bank's response to the logout of the session that was reached. */
const closed: BankResponse = {
  kind: "responded",
  response: { httpStatus: 200, body: { status: "logged_out" } },
  isClosed: true,
};
const closing = claim(loggedIn, submit(2, "logout", 1));
const loggedOut = withResult(closing, closed, TIMES);
const cancelled = withEnd(asking, { status: "cancelled", at: NOW });
const answering = claim(asking, submit(2, "answer", 1));

describe("a submit", () => {
  test.each<[what: string, row: KeptRow<string>, one: NewSubmit, expected: Decision]>([
    ["the first form", EMPTY, submit(1), "claim"],
    ["a form after a refusal", afterRefusal, submit(2), "claim"],
    ["a form after an unknown outcome", unknown, submit(2), "claim"],
    ["a form of a page that has shown the question", asking, submit(2), "claim"],
    ["the answer to the question", asking, submit(2, "answer", 1), "claim"],
    ["the answer after one that was refused as not come", { ...asking, number: 2 }, submit(3, "answer", 1), "claim"],
    ["the choice of a client", choosing, submit(2, "client", 1), "claim"],
    ["a logout in place of the choice", choosing, submit(2, "logout", 1), "claim"],
    ["the logout of what stands in the way", blocked, submit(2, "logout", 1), "claim"],
    // It is there already.
    ["a repeat, while it is under way", underWay, submit(1), "known"],
    ["a repeat, with its question", asking, submit(1), "known"],
    ["a repeat, sealed with an older key", asking, { ...submit(1), digests: ["new", "d1"] }, "known"],
    ["another form with its number", underWay, submit(1, "credentials", undefined, "other"), "another"],
    [
      "a form of a page that has not seen the question",
      asking,
      submit(1, "credentials", undefined, "other"),
      "another",
    ],
    ["anything, while another one is under way", underWay, submit(2), "another"],
    ["an answer to the question before", withResult(answering, question, TIMES), submit(3, "answer", 1), "another"],
    // It goes on from nothing.
    ["an answer without a question", afterRefusal, submit(2, "answer", 7), "stepless"],
    ["an answer to the choice of a client", choosing, submit(2, "answer", 1), "stepless"],
    ["a choice in place of an answer", asking, submit(2, "client", 1), "stepless"],
    ["a logout at a question", asking, submit(2, "logout", 1), "stepless"],
    [
      "an answer after a form has begun again",
      withResult(claim(asking, submit(2)), refused, TIMES),
      submit(3, "answer", 1),
      "another",
    ],
    ["one that was told not to have come", { ...asking, number: 2 }, submit(2, "answer", 1), "unsent"],
    ["the first one that was told not to have come", { ...EMPTY, number: 1 }, submit(1), "unsent"],
    ["anything after the session", loggedIn, submit(2), "over"],
    ["anything after a cancel", cancelled, submit(2, "answer", 1), "over"],
    ["a logout of the session that was reached", loggedIn, submit(2, "logout", 1), "claim"],
    ["the same after one that was refused as not come", { ...loggedIn, number: 2 }, submit(3, "logout", 1), "claim"],
    ["its repeat, while it is under way", closing, submit(2, "logout", 1), "known"],
    ["a second one, while it is under way", closing, submit(3, "logout", 1), "another"],
    ["its repeat, once the session is closed", loggedOut, submit(2, "logout", 1), "known"],
    ["a second one, once the session is closed", loggedOut, submit(3, "logout", 1), "stepless"],
    ["a logout of another session than the one that was reached", loggedIn, submit(2, "logout", 7), "over"],
    ["a logout after a cancel", cancelled, submit(2, "logout", 1), "over"],
    ["an answer after the session", loggedIn, submit(2, "answer", 1), "over"],
    ["an answer after its session was closed", loggedOut, submit(3, "answer", 1), "over"],
    ["one more than a hundred", { ...afterRefusal, sent: 100 }, submit(2), "limited"],
  ])("%s", (_, row, one, expected) => {
    expect(decide(row, one, NOW)).toBe(expected);
  });

  test("that answers a question which is not kept any more has no step", () => {
    expect(decide(asking, submit(2, "answer", 1), NOW + 599_999)).toBe("claim");
    expect(decide(asking, submit(2, "answer", 1), NOW + 600_000)).toBe("stepless");
  });

  test("of which nothing was sent leaves the row as it was, but for its number and whose it is", () => {
    expect(withoutClaim(asking, answering)).toEqual({ ...asking, number: 2 });
    expect(withoutClaim(EMPTY, underWay)).toEqual({ ...EMPTY, number: 1, holder: "ana" });
  });

  test("is under way for five minutes, whichever clock is wrong", () => {
    const times = [NOW, NOW + 299_999, NOW - 299_999, NOW + 300_000, NOW - 300_000];
    expect(times.map((now) => isUnderWay(underWay, now))).toEqual([true, true, true, false, false]);
    expect(isUnderWay(asking, NOW)).toBe(false);
  });
});

const told = (row: KeptRow<string>, number: number) => toPageResult(row, number, NOW)?.kind;

test("a page gets the result of its submit, or of the one that was faster", () => {
  expect([told(underWay, 1), told(answering, 1), told(answering, 2)]).toEqual([undefined, undefined, undefined]);
  expect([told(asking, 1), told(choosing, 1), told(afterRefusal, 1), told(unknown, 1)]).toEqual([
    "step",
    "step",
    "responded",
    "unknown",
  ]);
  expect([told({ ...asking, number: 2 }, 2), told({ ...asking, number: 2 }, 1)]).toEqual(["unsent", "step"]);
  expect([told(loggedIn, 1), told(cancelled, 1), told(cancelled, 2)]).toEqual(["ended", "ended", "ended"]);
  // What has closed the session, and what reached it before.
  expect([told(closing, 2), told(loggedOut, 2), told(loggedOut, 1)]).toEqual([undefined, "responded", "ended"]);
  const last = withResult(underWay, { ...refused, failure: "user_blocked" } as BankResponse, TIMES);
  // The one that has brought it reads why.
  expect([told(last, 1), told(last, 2)]).toEqual(["responded", "ended"]);
});

describe("what was typed, and the bank's key", () => {
  const text = (row: object) => JSON.stringify(row);
  test("are in the row while the bank waits, and not after the answer, a new form, an end or their time", () => {
    expect(text(asking)).toMatch(/1234.*|key-1/);
    expect(text(answering)).toContain("1234");
    const later = [
      withResult(answering, refused, TIMES),
      withResult(answering, { kind: "unknown" }, TIMES),
      withResult(answering, { kind: "session", key: "key-of-session" }, TIMES),
      claim(asking, submit(2)),
      cancelled,
      withoutOldStep(asking, NOW + 600_000),
    ];
    for (const row of later) expect(text(row)).not.toMatch(/1234|"key-1"/);
    expect(withoutOldStep(asking, NOW + 599_999)).toBe(asking);
    // It is at the bank.
    expect(withoutOldStep(answering, NOW + 1)).toBe(answering);
  });

  test("the session's key is in the row until its logout, and stays after one that failed", () => {
    const failed = withResult(closing, { kind: "unknown" }, TIMES);
    expect([loggedIn, closing, failed, loggedOut].map(({ key, end }) => [key, end?.status])).toEqual([
      ["key-of-session", "logged_in"],
      ["key-of-session", "logged_in"],
      ["key-of-session", "logged_in"],
      [undefined, "logged_in"],
    ]);
  });

  test("a choice that the bank does not know leaves the list, under a new name", () => {
    const chosen = claim(choosing, submit(2, "client", 1));
    const wrong = withResult(chosen, { ...refused, isStepKept: true } as BankResponse, TIMES);
    expect(wrong.step).toMatchObject({ kind: "clients", number: 2, key: "key-1" } satisfies Partial<KeptStep>);
  });

  test("a confirmation that comes too early gets no more time", () => {
    const early = withResult(claim(asking, submit(2, "answer", 1), "confirmation"), question, {
      ...TIMES,
      now: NOW + 60_000,
    });
    expect(early.step).toMatchObject({
      number: 2,
      until: NOW + 300_000,
      interaction: { isRepeat: true, answersSent: 0 },
    });
  });
});
