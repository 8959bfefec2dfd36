import { expect } from "vitest";
import { openQuestion } from "../../bank/service.ts";
import { findAccount } from "./counting-bank.ts";
import { createStageTest } from "./stage.ts";

// A day, in which journals are kept: otherwise there would be nothing to find.
const test = createStageTest({ workers: 1, worker: { RETENTION: "86400000" } });

test("a picture is in one journal on its way to the state, and in none after the answer", async ({ stage }) => {
  const account = findAccount("mirador_gt", "captcha");
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
