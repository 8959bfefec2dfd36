import { fork } from "node:child_process";
import { once } from "node:events";
import { createDurableLoginClient } from "ventanilla/restate";
import { test } from "vitest";
import { startBalancer } from "./balancer.ts";
import { openCountingBank } from "./counting-bank.ts";
import { repository } from "./repository.ts";
import { kill, type RestateServerOptions, startRestate } from "./restate-server.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

export interface StageOptions extends RestateServerOptions, NonNullable<Parameters<typeof openCountingBank>[0]> {
  /** Default 2. */
  readonly workers?: number;
  /** Further settings of the workers, as their environment names them. */
  readonly worker?: Readonly<Record<string, string>>;
}

/** 32 bytes, the same in each run; in production they come from a vault. */
export const SEAL_KEY = Buffer.alloc(32, "ventanilla").toString("base64");

/** Everything that a durable login needs: a bank, a Restate server, workers in processes of their own, a caller. */
export async function openStage({ workers: count = 2, worker: settings = {}, ...options }: StageOptions = {}) {
  const [bank, server, balancer] = [
    await openCountingBank(options),
    await startRestate(options),
    await startBalancer(),
  ];
  const env = { BASE_URL: bank.url, API_KEY: bank.apiKey, SEAL_KEY, ...settings };
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(env)));
  for (const { port } of workers) balancer.add(port);
  await server.register(balancer.uri);
  return {
    bank,
    server,
    balancer,
    workers,
    logins: createDurableLoginClient({ ingress: server.ingress, sealKey: SEAL_KEY }),
    /** Starts one more worker, beside the balancer. */
    async addWorker(more: Readonly<Record<string, string>>) {
      const worker = await startWorker({ ...env, ...more });
      workers.push(worker);
      return worker;
    },
    /** Kills one worker with -9, and starts a new one in its place, on its port. */
    async replaceWorker(index: number, more: Readonly<Record<string, string>> = {}) {
      const worker = workers[index];
      if (!worker) throw new Error(`There is no worker ${index}.`);
      await kill(worker.process);
      workers[index] = await startWorker({ ...env, ...more, PORT: `${worker.port}` });
    },
    /** Stops one worker as a deploy does, waits until it has ended, and starts a new one in its place, on its port. */
    async deployWorker(index: number, more: Readonly<Record<string, string>> = {}) {
      const worker = workers[index];
      if (!worker) throw new Error(`There is no worker ${index}.`);
      const ended = once(worker.process, "exit");
      worker.process.kill("SIGTERM");
      await ended;
      workers[index] = await startWorker({ ...env, ...more, PORT: `${worker.port}` });
    },
    async close() {
      await Promise.all(workers.map((worker) => kill(worker.process)));
      balancer.close();
      await server.stop();
      await bank.close();
    },
  };
}

/** Starts a worker in a process of its own, and waits until it listens. Its port is a free one, unless `PORT` names it. */
async function startWorker(env: Readonly<Record<string, string>>) {
  const worker = fork(`${repository}test/servers/restate/dist/worker.mjs`, {
    execArgv: ["--expose-gc"],
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = once(worker, "exit").then(([code]) => Promise.reject(new Error(`The worker ended with ${code}.`)));
  const [port] = (await Promise.race([once(worker, "message"), ended])) as [number];
  // A later end is what the tests do to it.
  ended.catch(() => {});
  return { process: worker, port };
}

/** A `test` whose tests of one file share a stage. */
export function createStageTest(options: StageOptions) {
  return test.extend<{ $file: { stage: Stage } }>({
    stage: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its pattern.
      async ({}, use) => {
        const stage = await openStage(options);
        await use(stage);
        await stage.close();
      },
      { scope: "file" },
    ],
  });
}
