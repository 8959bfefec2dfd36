import { sandboxAccounts } from "ventanilla/sandbox";
import { expect } from "vitest";
import { openQuestion } from "../bank/service.ts";
import { createStageTest } from "./stage-test.ts";

// Journals are kept: otherwise there would be nothing to find.
const DAY = `${24 * 3_600_000}`;
const test = createStageTest({ workers: 1, worker: { JOURNAL_RETENTION: DAY, RETENTION: DAY } });

test("a picture passes through one journal on its way to the state, and nothing after the answer has it", async ({
  stage,
}) => {
  const account = sandboxAccounts.find(({ provider, username }) => provider === "mirador_gt" && username === "captcha");
  if (!account) throw new Error("The sandbox has no captcha.");
  const asked = openQuestion(await stage.logins.resume(await stage.logins.start(account)));
  const picture = asked.interaction.context;
  expect(asked.interaction).toMatchObject({ kind: "picture", picture: { mediaType: expect.any(String) } });

  /** The handlers in whose journals the picture stands, each invocation once. */
  const handlersWithPicture = async () => {
    const entries = await stage.server.query<{ id: string; handler: string; raw: string }>(
      `SELECT i.id AS id, i.target_handler_name AS handler, j.raw AS raw
       FROM sys_invocation i JOIN sys_journal j ON i.id = j.id`,
    );
    const holding = entries.filter(({ raw }) => Buffer.from(raw, "hex").includes(picture));
    return [...new Map(holding.map(({ id, handler }) => [id, handler])).values()].sort();
  };
  const hasStateWithPicture = async () => {
    const values = await stage.server.query<{ value: string }>("SELECT value_utf8 AS value FROM state");
    return values.some(({ value }) => value.includes(picture));
  };
  // `settled` is the call that shows it.
  expect(await handlersWithPicture()).toEqual(["perform", "settled"]);
  expect(await hasStateWithPicture()).toBe(true);

  expect((await asked.answer(account.answers?.[0]?.answer ?? "")).status).toBe("logged_in");
  expect(await handlersWithPicture()).toEqual(["perform", "settled"]);
  expect(await hasStateWithPicture()).toBe(false);
});
