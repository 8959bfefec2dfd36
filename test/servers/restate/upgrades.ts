import { durableLoginName, DURABLE_LOGIN_VERSION as now } from "ventanilla/restate";
import { expect, test } from "vitest";
import { openQuestion } from "../../bank/service.ts";
import { loadOlderVersion, type OlderVersion } from "./older/older-version.ts";
import { openStage, SEAL_KEY, type Stage, type StageOptions } from "./stage.ts";

type Logins = Stage["logins"];

const form = { provider: "test", username: "12345otp", password: "asdfg" };

/** A stage of this test alone, with one worker, today's caller and an older one. */
export async function openUpgrade(
  version: string,
  options: StageOptions,
  use: (stage: Stage, old: Logins) => Promise<void>,
) {
  const { createDurableLoginClient }: OlderVersion = await loadOlderVersion(version);
  const stage = await openStage({ workers: 1, ...options });
  try {
    await use(stage, createDurableLoginClient({ ingress: stage.server.ingress, sealKey: SEAL_KEY }));
  } finally {
    await stage.close();
  }
}

/** Begins logins that wait for an answer. */
export async function park(logins: Logins, count: number): Promise<readonly string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => logins.start(form)));
  for (const id of ids) openQuestion(await logins.resume(id));
  return ids;
}

/** Answers the question of a login. The key of an older caller is a secret of its own code. */
export const finish = async (logins: Logins, id: string) =>
  (await openQuestion(await logins.resume(id)).answer("8888")).status;

export const takesAnswers = (version: string) =>
  test("its worker takes the answers of today's caller, and those of its own", () =>
    openUpgrade(version, { worker: { VERSIONS: version } }, async ({ logins, bank }, old) => {
      const ids = await park(old, 8);
      expect(ids.map((id) => id.split(".")[0])).toEqual(Array(8).fill(version));
      for (const [index, id] of ids.entries()) expect(await finish(index < 6 ? logins : old, id)).toBe("logged_in");
      expect(bank.posted.map(({ kind }) => kind).sort()).toEqual([
        ...Array(8).fill("first"),
        ...Array(8).fill("second"),
      ]);
    }));

export const finishesUnderNewer = (version: string) =>
  test("its logins finish by each caller once today's worker, which serves both, has taken its place", () =>
    openUpgrade(version, { worker: { VERSIONS: version } }, async (stage, old) => {
      const ids = await park(old, 4);
      const unanswered = await old.start({ ...form, settings: { answerTimeout: 4000 } });
      await old.resume(unanswered);
      const expired = old.wait(unanswered);

      await stage.replaceWorker(0, { VERSIONS: `${version},${now}` });
      await stage.server.register(stage.balancer.uri);
      for (const [index, id] of ids.entries())
        expect(await finish(index < 2 ? stage.logins : old, id)).toBe("logged_in");
      // The caller that was not upgraded yet begins logins of its own version.
      const late = await park(old, 2);
      const fresh = await park(stage.logins, 2);
      expect([late[0]?.split(".")[0], fresh[0]?.split(".")[0]]).toEqual([version, now]);
      for (const id of late) expect(await finish(old, id)).toBe("logged_in");
      for (const id of fresh) expect(await finish(stage.logins, id)).toBe("logged_in");
      // Its timer and its caller began under the older worker.
      expect(await expired).toMatchObject({ failure: { code: "expired" } });
      const services = await stage.server.query<{ name: string }>("SELECT name FROM sys_service ORDER BY name");
      expect(services.map(({ name }) => name)).toEqual([durableLoginName(now), durableLoginName(version)].sort());
    }));

export const finishesBeside = (version: string) =>
  test("its logins finish on its worker, where that is left running beside the new one", () =>
    openUpgrade(version, { worker: { VERSIONS: version } }, async (stage, old) => {
      const [id = ""] = await park(old, 1);
      const newer = await stage.addWorker({ VERSIONS: now });
      await stage.server.register(`http://127.0.0.1:${newer.port}`);
      const [fresh = ""] = await park(stage.logins, 1);
      for (const each of [id, fresh]) expect(await finish(stage.logins, each)).toBe("logged_in");
    }));
