import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { createRandom } from "../../faults/soak-plan.ts";
import { openInteraction } from "./open-interaction.ts";
import { openStage, type Stage } from "./stage.ts";

// `npm run restate -- measure [waiting] [timed]`: the figures of docs/scale.md, on this machine.

const [waiting = 1500, timed = 600] = process.argv.slice(2).map(Number);
const random = createRandom(1);

const readUsage = ({ server, workers: [worker], balancer }: Stage) => ({
  server: readProcess(server.pid()),
  worker: readProcess(worker?.process.pid ?? 0),
  disk: Number(execFileSync("du", ["-sb", server.folder]).toString().split("\t")[0]),
  streams: balancer.streams(),
});

/** What a worker holds after a collection, in bytes. */
async function readHeap({ workers: [worker] }: Stage): Promise<number> {
  const message = once(worker?.process ?? process, "message");
  worker?.process.send("heap");
  return (await message)[0];
}

/** Resident bytes, and seconds of a core used so far, by Linux. */
function readProcess(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
    seconds: (Number(fields[11]) + Number(fields[12])) / 100,
  };
}

const per = (after: number, before: number, count: number, digits = 2) =>
  Number(((after - before) / count).toFixed(digits));

/** Runs that many at a time. */
async function each(count: number, width: number, run: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const began = performance.now();
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await run(index);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return (performance.now() - began) / 1000;
}

const start = (stage: Stage, username: string, password: string) =>
  stage.logins.start({ provider: "test", username, password });

async function waitingLogins(): Promise<void> {
  const stage = await openStage({ workers: 1 });
  const wait = async (index: number) => stage.logins.settled(await start(stage, `12345otp~w${index}`, "asdfg"));
  // What every process needs once is there after the first half.
  await each(waiting / 2, 64, wait);
  const [before, heap] = [readUsage(stage), await readHeap(stage)];
  await each(waiting / 2, 64, (index) => wait(index + waiting));
  const [after, fuller] = [readUsage(stage), await readHeap(stage)];
  const [state] = await stage.server.query<{ bytes: number; rows: number }>(
    "SELECT AVG(LENGTH(value_utf8)) AS bytes, COUNT(*) AS rows FROM state WHERE key = 'login'",
  );
  const journal = await stage.server
    .query<{ handler: string; entries: number; bytes: number }>(
      `SELECT i.target_handler_name AS handler, COUNT(*) / COUNT(DISTINCT i.id) AS entries, SUM(j.raw_length) / COUNT(DISTINCT i.id) AS bytes
     FROM sys_invocation i JOIN sys_journal j ON i.id = j.id WHERE i.status <> 'completed' GROUP BY i.target_handler_name`,
    )
    .catch(() => []);
  const [open] = await stage.server.query<{ count: number }>(
    "SELECT COUNT(*) AS count FROM sys_invocation WHERE status <> 'completed'",
  );
  console.log(`${waiting} logins waiting for an answer`, {
    "state of one, bytes": Math.round(state?.bytes ?? 0),
    "invocations of one that wait (its timer)": per(open?.count ?? 0, 0, waiting),
    "journal of its timer": journal,
    "worker heap, MiB": per(heap, 0, 2 ** 20),
    "worker heap of one, KiB": per(fuller, heap, (waiting / 2) * 1024),
    "worker resident, MiB": per(after.worker.memory, 0, 2 ** 20),
    "server resident, MiB": per(after.server.memory, 0, 2 ** 20),
    "server resident of one, KiB": per(after.server.memory, before.server.memory, (waiting / 2) * 1024),
    "server disk of one, log included, KiB": per(after.disk, before.disk, (waiting / 2) * 1024),
  });
  const idle = readUsage(stage);
  await pause(5000);
  const rested = readUsage(stage);
  console.log("while they wait, for 5 s", {
    "worker, share of a core": per(rested.worker.seconds, idle.worker.seconds, 5),
    "server, share of a core": per(rested.server.seconds, idle.server.seconds, 5),
  });
  await stage.close();
}

async function throughput(
  name: string,
  partitions: number,
  run: (stage: Stage, index: number) => Promise<unknown>,
  requests: number,
) {
  const stage = await openStage({ workers: 1, partitions });
  await each(50, 16, (index) => run(stage, index + 1_000_000));
  for (const width of [1, 64]) {
    const count = width === 1 ? Math.min(timed, 100) : timed;
    const [before, posted, own] = [readUsage(stage), stage.bank.posted.length, process.cpuUsage()];
    const seconds = await each(count, width, (index) => run(stage, index + width * 10_000));
    const [after, spent] = [readUsage(stage), process.cpuUsage(own)];
    console.log(`${name}, ${partitions} partitions, ${width} at a time`, {
      "logins a second": Math.round(count / seconds),
      "milliseconds each": Number(((seconds / count) * width * 1000).toFixed(1)),
      "worker, ms of a core each": per(after.worker.seconds * 1000, before.worker.seconds * 1000, count),
      "server, ms of a core each": per(after.server.seconds * 1000, before.server.seconds * 1000, count),
      "caller, balancer and bank, ms of a core each": Number(((spent.user + spent.system) / 1000 / count).toFixed(2)),
      "invocations to the worker each": per(after.streams, before.streams, count),
      "bytes written, KiB each": per(after.disk, before.disk, count * 1024),
      "requests to the bank each": per(stage.bank.posted.length, posted, count),
    });
    if (stage.bank.posted.length - posted !== count * requests)
      throw new Error("the bank saw another number of requests");
  }
  await stage.close();
}

const plain = async (stage: Stage, index: number) =>
  stage.logins.wait(await start(stage, `12345~p${index}-${random()}`, "gfdsa"));

const answered = async (stage: Stage, id: string) => (await openInteraction(stage.logins, id)).answer("8888");

const challenged = async (stage: Stage, index: number) =>
  answered(stage, await start(stage, `12345otp~c${index}-${random()}`, "asdfg"));

async function journals(): Promise<void> {
  const stage = await openStage({ workers: 1, worker: { RETENTION: `${24 * 3_600_000}` } });
  const id = await start(stage, "12345otp~j", "asdfg");
  await answered(stage, id);
  const rows = await stage.server.query<{ handler: string; invocations: number; entries: number }>(
    `SELECT i.target_handler_name AS handler, COUNT(DISTINCT i.id) AS invocations, COUNT(j.index) AS entries
     FROM sys_invocation i LEFT JOIN sys_journal j ON i.id = j.id GROUP BY i.target_handler_name ORDER BY 1`,
  );
  console.log("one login with one question, from its start to its end, with two calls of `settled`");
  console.table(rows);
  console.log(`in all ${rows.reduce((sum, { entries }) => sum + entries, 0)} entries of journals`);
  const [ended] = await stage.server.query<{ bytes: number }>(
    "SELECT LENGTH(value_utf8) AS bytes FROM state WHERE key = 'login'",
  );
  console.log(`state after the end, until it is forgotten: ${ended?.bytes} bytes`);
  await stage.close();
}

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`);
await journals();
await waitingLogins();
if (timed) {
  await throughput("a login without a question", 4, plain, 1);
  await throughput("a login with one question", 4, challenged, 2);
  await throughput("a login with one question", 24, challenged, 2);
}
