import { expect } from "vitest";
import { openQuestion } from "../bank/service.ts";
import { createStageTest } from "./stage-test.ts";

const test = createStageTest({ workers: 1 });

const form = { provider: "test", username: "12345otp", password: "asdfg" };

test("an unanswered question expires, though every process died in between", async ({ stage }) => {
  const id = await stage.logins.start({ ...form, settings: { answerTimeout: 2500 } });
  const asked = openQuestion(await stage.logins.resume(id));
  await Promise.all([stage.replaceWorker(0), stage.server.crash()]);
  const ended = await stage.logins.wait(id);
  expect(ended).toEqual({ status: "expired", provider: "test" });
  expect(Date.now()).toBeGreaterThanOrEqual(asked.interaction.expiresAt ?? Number.POSITIVE_INFINITY);
});

test("a time that ran out while nobody was there is noticed on the return", async ({ stage }) => {
  const id = await stage.logins.start({ ...form, settings: { answerTimeout: 300 } });
  await stage.logins.resume(id);
  await stage.workers[0]?.kill();
  await new Promise((resolve) => setTimeout(resolve, 600));
  await stage.replaceWorker(0);
  expect((await stage.logins.wait(id)).status).toBe("expired");
});

test("an answer in time ends the wait: its timer is gone", async ({ stage }) => {
  const id = await stage.logins.start({ ...form, settings: { answerTimeout: 3_600_000 } });
  const asked = openQuestion(await stage.logins.resume(id));
  const timers = () =>
    stage.server.query<{ id: string }>(
      `SELECT id FROM sys_invocation WHERE target_service_key = '${id}' AND target_handler_name = 'perform' AND status <> 'completed'`,
    );
  expect(await timers()).toHaveLength(1);
  await asked.answer("8888");
  await expect.poll(timers).toEqual([]);
});
