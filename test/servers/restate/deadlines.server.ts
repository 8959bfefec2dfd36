import { expect, onTestFinished, test } from "vitest";
import { openInteraction } from "./open-interaction.ts";
import { kill } from "./restate-server.ts";
import { openStage } from "./stage.ts";

const form = { provider: "test", username: "12345otp", password: "asdfg" };

test("unanswered questions expire although each process is killed, also while none runs", async () => {
  const stage = await openStage({ workers: 1 });
  onTestFinished(() => stage.close());
  const ids = [];
  // Both questions are seen before they expire, on a busy machine too.
  for (const answerTimeout of [9000, 6000])
    ids.push(await stage.logins.start({ ...form, settings: { answerTimeout } }));
  const [late, early] = await Promise.all(ids.map((id) => openInteraction(stage.logins, id)));
  const [worker] = stage.workers;
  if (worker) await kill(worker.process);
  await stage.server.crash();
  await expect.poll(Date.now).toBeGreaterThan(early?.interaction.expiresAt ?? Number.POSITIVE_INFINITY);
  await stage.replaceWorker(0);
  for (const id of ids)
    expect(await stage.logins.wait(id)).toMatchObject({ state: "failed", id, failure: { code: "expired" } });
  expect(Date.now()).toBeGreaterThanOrEqual(late?.interaction.expiresAt ?? Number.POSITIVE_INFINITY);
});
