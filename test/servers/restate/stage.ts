import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { createBankClient } from "ventanilla";
import { createDurableLoginClient, type DurableLogin, durableLogin } from "ventanilla/restate";
import { startBalancer } from "./balancer.ts";
import { openCountingBank } from "./counting-bank.ts";
import { repository } from "./repository.ts";
import { kill, type RestateServerOptions, startRestate } from "./restate-server.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

export type StageHere = Awaited<ReturnType<typeof openStageHere>>;

type PlaceOptions = RestateServerOptions & NonNullable<Parameters<typeof openCountingBank>[0]>;

interface StageOptions extends PlaceOptions {
  /** Default 2. */
  readonly workers?: number;
  /** Further settings of the workers, as their environment names them. */
  readonly worker?: Readonly<Record<string, string>>;
}

/** 32 bytes, the same in each run; in production they come from a vault. */
export const SEAL_KEY = Buffer.alloc(32, "ventanilla").toString("base64");

/** A bank, a Restate server and a caller. */
async function openPlace(options: PlaceOptions) {
  const [bank, server] = [await openCountingBank(options), await startRestate(options)];
  return {
    bank,
    server,
    logins: createDurableLoginClient({ ingress: server.ingress, sealKey: SEAL_KEY }),
    async close() {
      await server.stop();
      await bank.close();
    },
  };
}

/** Everything that a durable login needs: a bank, a Restate server, workers in processes of their own, a caller. */
export async function openStage({ workers: count = 2, worker: settings = {}, ...options }: StageOptions = {}) {
  const [place, balancer] = [await openPlace(options), await startBalancer()];
  const { bank, server } = place;
  const env = { BASE_URL: bank.url, API_KEY: bank.apiKey, SEAL_KEY, ...settings };
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(env)));
  for (const { port } of workers) balancer.add(port);
  await server.register(balancer.uri);
  return {
    ...place,
    balancer,
    workers,
    /** Kills one worker with -9, and starts a new one in its place, on its port. */
    async replaceWorker(index: number) {
      const worker = workers[index];
      if (!worker) throw new Error(`There is no worker ${index}.`);
      await kill(worker.process);
      workers[index] = await startWorker({ ...env, PORT: `${worker.port}` });
    },
    /** Stops one worker as a deploy does, waits until it has ended, and starts a new one in its place, on its port. */
    async deployWorker(index: number) {
      const worker = workers[index];
      if (!worker) throw new Error(`There is no worker ${index}.`);
      const ended = once(worker.process, "exit");
      worker.process.kill("SIGTERM");
      await ended;
      workers[index] = await startWorker({ ...env, PORT: `${worker.port}` });
    },
    async close() {
      await Promise.all(workers.map((worker) => kill(worker.process)));
      balancer.close();
      await place.close();
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

/** Serves durable logins from this process, for what does not kill a worker: a process of its own takes a second of the machine. */
export async function startWorkerHere(services: readonly DurableLogin[], port = 0) {
  const worker = createServer(createEndpointHandler({ services: [...services], logger: () => {} }));
  const sessions = new Set<ServerHttp2Session>();
  let attempts = 0;
  worker.on("stream", () => attempts++);
  worker.on("session", (session) => sessions.add(session));
  await once(worker.listen(port, "127.0.0.1"), "listening");
  const breakConnections = () => {
    for (const session of sessions) session.destroy();
  };
  const { port: own } = worker.address() as AddressInfo;
  return {
    port: own,
    uri: `http://127.0.0.1:${own}`,
    /** How many attempts it has begun. */
    attempts: () => attempts,
    breakConnections,
    async close() {
      const closed = once(worker, "close");
      worker.close();
      breakConnections();
      await closed;
    },
  };
}

/** A bank, a Restate server, a worker in this process, and a caller. @param days for how many days ended logins and journals are kept. */
export async function openStageHere({ days, ...options }: PlaceOptions & { readonly days?: number }) {
  const place = await openPlace(options);
  const { bank, server } = place;
  const client = createBankClient({ baseUrl: bank.url, apiKey: bank.apiKey });
  const kept = days === undefined ? {} : { retention: days * 86_400_000, journalRetention: days * 86_400_000 };
  const worker = await startWorkerHere([durableLogin({ client, sealKey: SEAL_KEY, ...kept })]);
  await server.register(worker.uri);
  return {
    ...place,
    client,
    worker,
    async close() {
      await worker.close();
      await place.close();
    },
  };
}
