import { createDurableLoginClient } from "ventanilla/restate";
import { describe, expect, test } from "vitest";
import { openQuestion } from "../../bank/service.ts";
import { olderVersions } from "./older/older-version.ts";
import { finish, finishesBeside, finishesUnderNewer, openUpgrade, park, takesAnswers } from "./upgrades.ts";

// The seal of an answer is what differs from version to version. The rest is the same for all: another one is in older-upgrades.server.ts.
describe.each(olderVersions)("version %s", (version) => {
  takesAnswers(version);
});

describe("version 11", () => {
  finishesUnderNewer("11");
  finishesBeside("11");
});

test("an answer that the worker can't open leaves the question open", () =>
  openUpgrade("11", {}, async ({ logins, server, bank }) => {
    const [id = ""] = await park(logins, 1);
    const sealKey = Buffer.alloc(32, "another").toString("base64");
    const stranger = createDurableLoginClient({ ingress: server.ingress, sealKey });
    const answer = openQuestion(await stranger.resume(id)).answer("8888");
    await expect(answer).rejects.toMatchObject({ code: "token_invalid", detail: "of another key" });
    expect(await finish(logins, id)).toBe("logged_in");
    expect(bank.posted.map(({ kind }) => kind)).toEqual(["first", "second"]);
  }));
