import { createDurableLoginClient, durableLoginName, DURABLE_LOGIN_VERSION as now } from "ventanilla/restate";
import { expect } from "vitest";
import { openQuestion } from "../../bank/service.ts";
import { createStageTest, SEAL_KEY, type Stage } from "./stage.ts";

const next = `${Number(now) + 1}`;
const form = { provider: "test", username: "12345otp", password: "asdfg" };
const test = createStageTest({ workers: 1 });

/** Begins a login by the newer caller, and finishes it and an old one. */
async function finishBoth({ server }: Stage, old: string): Promise<void> {
  const upgraded = createDurableLoginClient({ ingress: server.ingress, sealKey: SEAL_KEY, version: next });
  const fresh = await upgraded.start(form);
  expect([old.split(".")[0], fresh.split(".")[0]]).toEqual([now, next]);
  for (const id of [old, fresh]) {
    expect((await openQuestion(await upgraded.resume(id)).answer("8888")).status).toBe("logged_in");
  }
}

test("an old login finishes on the old worker, where that is left running beside the new one", async ({ stage }) => {
  const old = await stage.logins.start(form);
  openQuestion(await stage.logins.resume(old));
  const newer = await stage.addWorker({ VERSIONS: next });
  await stage.server.register(`http://127.0.0.1:${newer.port}`);
  await finishBoth(stage, old);
});

test("an old login finishes on the old version, which a newer worker at the same address serves too", async ({
  stage,
}) => {
  const old = await stage.logins.start(form);
  openQuestion(await stage.logins.resume(old));
  const unanswered = await stage.logins.start({ ...form, settings: { answerTimeout: 4000 } });
  await stage.logins.resume(unanswered);
  const expired = stage.logins.wait(unanswered);

  await stage.replaceWorker(0, { VERSIONS: `${now},${next}` });
  await stage.server.register(stage.balancer.uri);

  await finishBoth(stage, old);
  // Its timer and its caller began under the older worker.
  expect(await expired).toMatchObject({ failure: { code: "expired" } });
  const services = await stage.server.query<{ name: string }>("SELECT name FROM sys_service ORDER BY name");
  expect(services.map(({ name }) => name)).toEqual([durableLoginName(now), durableLoginName(next)].sort());
});
