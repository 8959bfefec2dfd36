import { createDurableLoginClient } from "ventanilla/restate";
import { startBalancer } from "./balancer.ts";
import { serveCountingBank } from "./bank.ts";
import { type Program, startWorker } from "./processes.ts";
import { type RestateServerOptions, startRestate } from "./restate-server.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

export interface StageOptions extends RestateServerOptions {
  /** Default 2. */
  readonly workers?: number;
  /** Milliseconds that the bank takes before and after it looks at a login. Default 0. */
  readonly delay?: () => number;
  /** Told of what reaches the bank. Default nobody. */
  readonly onMoment?: Parameters<typeof serveCountingBank>[1];
  /** Whether the bank repeats whatever it was sent. Default false. */
  readonly echoes?: boolean;
  /** Further settings of the workers, as their environment names them. */
  readonly worker?: Readonly<Record<string, string>>;
}

/** 32 bytes, the same in each run; in production they come from a vault. */
export const SEAL_KEY = Buffer.alloc(32, "ventanilla").toString("base64");

/** Everything that a durable login needs: a bank, a Restate server, workers in processes of their own, a caller. */
export async function openStage({
  workers: count = 2,
  delay,
  onMoment,
  echoes,
  worker = {},
  ...options
}: StageOptions = {}) {
  const bank = await serveCountingBank(delay, onMoment, echoes);
  const server = await startRestate(options);
  const balancer = await startBalancer();
  const env = { BASE_URL: bank.url, API_KEY: bank.apiKey, SEAL_KEY, ...worker };
  const started = await Promise.all(Array.from({ length: count }, () => startWorker(env)));
  for (const { port } of started) balancer.add(port);
  await server.register(balancer.uri);
  const workers: Program[] = [...started];
  return {
    bank,
    server,
    balancer,
    workers,
    sealKey: SEAL_KEY,
    logins: createDurableLoginClient({ ingress: server.ingress, sealKey: SEAL_KEY }),
    /** kill -9 of one worker, and a new one in its place, on its port. */
    async replaceWorker(index: number) {
      await workers[index]?.kill();
      workers[index] = await startWorker({ ...env, PORT: `${started[index]?.port}` });
    },
    async close() {
      await Promise.all(workers.map((one) => one.kill()));
      balancer.close();
      await server.stop();
      await bank.close();
    },
  };
}
