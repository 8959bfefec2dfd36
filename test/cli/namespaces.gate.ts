import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { promised } from "../bank/service.ts";
import { type Interference, isLogin } from "./bank.ts";
import { BATCH, openBatch } from "./open-batch.ts";
import { runProcess, start } from "./program.ts";

// Two containers on one volume: each process is number 1 of its own namespace and sees no other.
const through = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
const ids = Array.from({ length: 60 }, (_, index) => `user-${index}`);

/** A volume with the logins of a batch, and a bank. */
async function openVolume(respond?: Interference) {
  const logins = ids.map((id) => ({ id, provider: "test", username: id, password: "no" }));
  const { bank, options, sent, results } = await openBatch(logins, respond);
  const endedIds = async () => (await results()).map(({ id }) => id);
  return { bank, options: { ...options, through }, sent, endedIds };
}

/** The same with a first container that waits for the bank's response. */
async function openHeldVolume() {
  const { promise, keep } = promised<undefined>();
  const volume = await openVolume((request) => (isLogin(request) ? promise : undefined));
  const reached = volume.bank.nextLogin();
  const first = await start(BATCH, volume.options);
  await reached;
  return { ...volume, first, release: () => keep(undefined) };
}

test("two containers that begin at the same time log each user in once", async () => {
  const { options, sent, endedIds } = await openVolume();
  const ended = await Promise.all([runProcess(BATCH, options), runProcess(BATCH, options)]);
  expect(sent().sort()).toEqual([...ids].sort());
  expect((await endedIds()).sort()).toEqual([...ids].sort());
  expect(ended.map(({ code }) => code)).toContain(8);
});

test("after a container was killed another one goes on with --force-lock only, and no user is logged in twice", async () => {
  const { options, sent, endedIds, first, release } = await openHeldVolume();
  first.child.kill("SIGKILL");
  await first.result;
  release();
  const before = sent().length;
  const stderr = expect.stringContaining("another batch may write to it: process 1 on ");
  expect(await runProcess(BATCH, options)).toMatchObject({ code: 6, stderr });
  expect(sent()).toHaveLength(before);
  expect((await runProcess([...BATCH, "--force-lock"], options)).code).toBe(8);
  expect(new Set(sent()).size).toBe(sent().length);
  expect((await endedIds()).sort()).toEqual([...ids].sort());
});

test("a paused container sends nothing more once another one has taken its lock", async () => {
  const { options, sent, endedIds, first, release } = await openHeldVolume();
  const { pid } = first.child;
  // The program itself, as this namespace numbers it.
  const paused = Number((await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim());
  process.kill(paused, "SIGSTOP");
  release();
  expect((await runProcess([...BATCH, "--force-lock"], options)).code).toBe(8);
  process.kill(paused, "SIGCONT");
  expect(await first.result).toMatchObject({ code: 6, stderr: expect.stringContaining("has taken its lock") });
  expect(new Set(sent()).size).toBe(sent().length);
  expect(new Set(await endedIds())).toEqual(new Set(ids));
});

test("a user without an entry in passwd, and without HOME, needs no config file", async () => {
  // Without nsswitch.conf no service names the user either.
  const files = "for file in passwd nsswitch.conf; do mount --bind /dev/null /etc/$file || exit; done";
  const hide = `${files}; exec env -u HOME -u XDG_CONFIG_HOME "$@"`;
  const { bank, options } = await openVolume();
  const nameless = { ...options, through: ["unshare", "--mount", "sh", "-c", hide, "sh"] };
  expect(await runProcess(["providers"], nameless)).toMatchObject({ code: 0 });
  expect(bank.requests.length).toBeGreaterThan(0);
});
