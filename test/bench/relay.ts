import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { usernames } from "./canned.ts";
import { several, withBank } from "./contenders.ts";
import { mapValues, runRounds, type Spread, toRatio } from "./rounds.ts";

/** How much of the throughput of a bare proxy a relay reaches, for logins with an interaction. */
export interface RelayFigures {
  readonly atATime: number;
  /** Those of the page and of the proxy: kept open, or one for each request. The relay opens one to the bank for each login. */
  readonly connections: "kept" | "fresh";
  readonly throughput: Spread;
  /** The proxy beside itself: how far a ratio can be trusted. */
  readonly control: Spread;
}

const LOGINS = 64;

/** Measures batches in turns, so that each ratio compares batches that ran one after the other. */
export function measureRelay(rounds: number): Promise<readonly RelayFigures[]> {
  return withBank(async (baseUrl) => {
    const figures: RelayFigures[] = [];
    for (const connections of ["kept", "fresh"] as const) {
      const front = fork(fileURLToPath(new URL("front.js", import.meta.url)), [baseUrl, connections]);
      const agent = new Agent({ keepAlive: connections === "kept" });
      const [[relay, proxy]] = (await once(front, "message")) as [readonly [number, number]];
      for (const atATime of [1, 64]) {
        const ports = { relay, proxy, control: proxy };
        const measures = mapValues(ports, (port) => () => measure(() => logIn(port, agent), atATime));
        const took = await runRounds(measures, rounds, Math.ceil(rounds / 10));
        const throughput = toRatio(took.proxy, took.relay);
        figures.push({ atATime, connections, throughput, control: toRatio(took.proxy, took.control) });
      }
      agent.destroy();
      front.kill();
    }
    return figures;
  });
}

async function measure(login: () => Promise<void>, atATime: number): Promise<number> {
  const started = performance.now();
  await several(login, LOGINS, atATime)();
  return performance.now() - started;
}

/** What a page sends for a login with an interaction. The proxy takes no notice of the headers that are the relay's. */
async function logIn(port: number, agent: Agent): Promise<void> {
  const form = { provider: "test", username: usernames.interaction, password: "correct horse battery staple" };
  const first = await post(port, agent, form);
  if (first.key === undefined) throw new Error(`no key: ${first.status}`);
  const second = await post(port, agent, { ...form, otp: "482913" }, first.key);
  if (second.status !== "logged_in") throw new Error(second.status);
}

interface Reply {
  readonly status: string;
  readonly key?: string;
}

function post(port: number, agent: Agent, form: Record<string, string>, key?: string): Promise<Reply> {
  const body = new URLSearchParams(form).toString();
  const headers = {
    origin: "https://shop.example",
    "content-type": "application/x-www-form-urlencoded",
    "content-length": body.length,
    "x-ventanilla": "1",
    "x-attempt-id": crypto.randomUUID(),
    ...(key !== undefined && { "x-session-key": key }),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path: "/login/", method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve(JSON.parse(text)));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A table of it, in Markdown. */
export const reportRelay = (figures: readonly RelayFigures[]): string =>
  [
    "| a login with an interaction | throughput | control |",
    "| --- | ---: | ---: |",
    ...figures.map(
      ({ atATime, connections, throughput, control }) =>
        `| ${atATime} at a time, connections ${connections} | ${format(throughput)} | ${format(control)} |`,
    ),
  ].join("\n");

const format = ({ median, lower, upper }: Spread): string =>
  `**${median.toFixed(2)}** (${lower.toFixed(2)}–${upper.toFixed(2)})`;

// `npm run bench -- relay` measures this alone, with `--quick` in some seconds.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(`${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(reportRelay(await measureRelay(process.argv.includes("--quick") ? 20 : 100)));
  process.exit(0);
}
