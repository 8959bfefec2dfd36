import { createDurableLoginClient, durableLoginName, DURABLE_LOGIN_VERSION as now } from "ventanilla/restate";
import { expect } from "vitest";
import { openQuestion } from "../bank/service.ts";
import { startWorker } from "./processes.ts";
import { openStage, SEAL_KEY } from "./stage.ts";
import { createStageTest } from "./stage-test.ts";

const next = `${Number(now) + 1}`;
const test = createStageTest({ workers: 1 });

test("an old login finishes on the old version, beside new ones on the new", async ({ stage }) => {
  const form = { provider: "test", username: "12345otp", password: "asdfg" };
  const old = await stage.logins.start(form);
  openQuestion(await stage.logins.resume(old));

  const unanswered = await stage.logins.start({ ...form, settings: { answerTimeout: 4000 } });
  await stage.logins.resume(unanswered);
  const end = stage.logins.wait(unanswered);

  // The upgrade: the newer worker serves both versions, and takes the place of the older one, at the same address.
  const env = { BASE_URL: stage.bank.url, API_KEY: stage.bank.apiKey, SEAL_KEY };
  const port = `${stage.workers[0]?.said["port"]}`;
  await stage.workers[0]?.kill();
  const newer = await startWorker({ ...env, PORT: port, VERSIONS: `${now},${next}` });
  await stage.server.register(stage.balancer.uri);

  const upgraded = createDurableLoginClient({ ingress: stage.server.ingress, sealKey: SEAL_KEY, version: next });
  const fresh = await upgraded.start(form);
  expect([old.split(".")[0], fresh.split(".")[0]]).toEqual([now, next]);

  // The newer caller reaches both, by their ids.
  for (const id of [old, fresh]) {
    const answered = await openQuestion(await upgraded.resume(id)).answer("8888");
    expect(answered.status).toBe("logged_in");
  }
  // Its timer and its caller began under the older worker.
  expect((await end).status).toBe("expired");
  const services = await stage.server.query<{ target: string }>("SELECT name AS target FROM sys_service ORDER BY name");
  expect(services.map(({ target }) => target)).toEqual([durableLoginName(now), durableLoginName(next)]);
  await newer.kill();
});

test("an old login finishes on the old worker, where that is left running beside the new one", async () => {
  const beside = await openStage({ workers: 1 });
  const form = { provider: "test", username: "12345otp", password: "asdfg" };
  const old = await beside.logins.start(form);
  openQuestion(await beside.logins.resume(old));
  const env = { BASE_URL: beside.bank.url, API_KEY: beside.bank.apiKey, SEAL_KEY };
  const newer = await startWorker({ ...env, VERSIONS: next });
  await beside.server.register(`http://127.0.0.1:${newer.port}`);
  const upgraded = createDurableLoginClient({ ingress: beside.server.ingress, sealKey: SEAL_KEY, version: next });
  const fresh = await upgraded.start(form);
  for (const id of [old, fresh]) {
    const answered = await openQuestion(await upgraded.resume(id)).answer("8888");
    expect(answered.status).toBe("logged_in");
  }
  await newer.kill();
  await beside.close();
});
