import { expect } from "vitest";
import { openQuestion } from "../../bank/service.ts";
import { kill } from "./restate-server.ts";
import { createStageTest } from "./stage.ts";

const test = createStageTest({ workers: 1 });

const form = { provider: "test", username: "12345otp", password: "asdfg" };

test("unanswered questions expire although each process is killed, also while none runs", async ({ stage }) => {
  const ids = [];
  // Both questions are seen before they expire, on a busy machine too.
  for (const answerTimeout of [9000, 6000])
    ids.push(await stage.logins.start({ ...form, settings: { answerTimeout } }));
  const [late, early] = await Promise.all(ids.map(async (id) => openQuestion(await stage.logins.resume(id))));
  const [worker] = stage.workers;
  if (worker) await kill(worker.process);
  await stage.server.crash();
  await expect.poll(Date.now).toBeGreaterThan(early?.interaction.expiresAt ?? Number.POSITIVE_INFINITY);
  await stage.replaceWorker(0);
  for (const id of ids)
    expect(await stage.logins.wait(id)).toMatchObject({ status: "failed", id, failure: { code: "expired" } });
  expect(Date.now()).toBeGreaterThanOrEqual(late?.interaction.expiresAt ?? Number.POSITIVE_INFINITY);
});

test("an answer in time removes the timer", async ({ stage }) => {
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
