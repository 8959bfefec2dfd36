import {
  createDurableLoginClient,
  type DurableLoginClient,
  durableLogin,
  durableLoginName,
  DURABLE_LOGIN_VERSION as now,
} from "ventanilla/restate";
import { expect, onTestFinished } from "vitest";
import { openInteraction } from "./open-interaction.ts";
import { type StageHere, SEAL_KEY as sealKey, startWorkerHere } from "./stage.ts";
import { test } from "./stage-test.ts";

// Two versions of today's code: what a version is part of is the name of the object and the ids of its logins.

const form = { provider: "test", username: "12345otp", password: "asdfg" };

/** An older worker, its caller, and what starts a newer worker. @param version of its own: the tests share a server. */
async function openUpgrade({ client, server }: StageHere, version: string) {
  const serve = async (versions: readonly string[], port?: number) => {
    const services = versions.map((version) => durableLogin({ client, sealKey, version }));
    const worker = await startWorkerHere(services, port);
    onTestFinished(worker.close);
    await server.register(worker.uri);
    return worker;
  };
  const worker = await serve([version]);
  return { worker, serve, old: createDurableLoginClient({ ingress: server.ingress, sealKey, version }) };
}

/** Begins a login that waits for an answer. */
async function park(logins: DurableLoginClient): Promise<string> {
  const id = await logins.start(form);
  await openInteraction(logins, id);
  return id;
}

const finish = async (logins: DurableLoginClient, id: string) =>
  (await (await openInteraction(logins, id)).answer("8888")).state;

const versionOf = (id: string) => id.split(".")[0];

test("an older worker takes the answers of today's caller, and those of its own", async ({ stage }) => {
  const { old } = await openUpgrade(stage, "older");
  for (const logins of [stage.logins, old]) {
    const id = await park(old);
    expect([versionOf(id), await finish(logins, id)]).toEqual(["older", "loggedIn"]);
  }
});

test("its logins finish by each caller once today's worker, which serves both, has taken its place", async ({
  stage: { logins, server, worker: ownWorker, ...stage },
}) => {
  const version = "replaced";
  const { worker, serve, old } = await openUpgrade({ logins, server, worker: ownWorker, ...stage }, version);
  onTestFinished(() => server.register(ownWorker.uri));
  const ids = [await park(old), await park(old)];
  const unanswered = await old.start({ ...form, settings: { answerTimeout: 4000 } });
  await old.settled(unanswered);
  const expired = old.wait(unanswered);

  await worker.close();
  await serve([version, now], worker.port);
  for (const [index, id] of ids.entries()) expect(await finish(index === 0 ? logins : old, id)).toBe("loggedIn");
  // The caller that was not upgraded yet begins logins of its own version.
  const [late, fresh] = [await park(old), await park(logins)];
  expect([late, fresh].map(versionOf)).toEqual([version, now]);
  expect([await finish(old, late), await finish(logins, fresh)]).toEqual(["loggedIn", "loggedIn"]);
  // Its timer and its caller began under the older worker.
  expect(await expired).toMatchObject({ failure: { code: "expired" } });
  const services = await server.query<{ name: string }>("SELECT name FROM sys_service");
  const names = services.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([durableLoginName(now), durableLoginName(version)]));
});

test("its logins finish on its worker, where that is left running beside the new one", async ({ stage }) => {
  const { old, worker } = await openUpgrade(stage, "beside");
  const before = worker.attempts();
  const id = await park(old);
  // The stage's worker serves today's version alone.
  const fresh = await park(stage.logins);
  for (const each of [id, fresh]) expect(await finish(stage.logins, each)).toBe("loggedIn");
  expect(worker.attempts()).toBeGreaterThan(before);
});
