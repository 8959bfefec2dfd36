import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { availableParallelism, loadavg } from "node:os";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { usernames } from "./canned.ts";
import { several, withBank } from "./contenders.ts";
import { share, table } from "./report.ts";
import { mapValues, runRounds, toRatio } from "./rounds.ts";

// `npm run bench -- relay` measures how much of the throughput of a bare proxy of ten lines a relay with the memory store reaches, for logins with an
// interaction. With `REDIS_URL` a relay with that store too. With `--quick` in some seconds.

const LOGINS = 64;

const rounds = process.argv.includes("--quick") ? 10 : 40;
const rows = await withBank(async (baseUrl) => {
  const rows: string[][] = [];
  // Those of the page and of the proxy. The relay opens one to the bank for each login.
  for (const connections of ["kept", "fresh"]) {
    const front = fork(fileURLToPath(new URL("front.js", import.meta.url)), [baseUrl, connections]);
    const agent = new Agent({ keepAlive: connections === "kept" });
    const [[relay, proxy, redis]] = (await once(front, "message")) as [readonly [number, number, number?]];
    const places: Readonly<Record<string, number>> = {
      relay,
      proxy,
      control: proxy,
      ...(redis !== undefined && { redis }),
    };
    for (const atATime of [1, 64]) {
      // In turns, so that each ratio compares batches that ran one after the other.
      const measures = mapValues(places, (port) => () => measure({ port, agent }, atATime));
      const took = await runRounds(measures, rounds, Math.ceil(rounds / 10));
      const ratios = ["relay", "control", "redis"].map((name) => {
        const [times, bare] = [took[name], took["proxy"]];
        return times && bare ? share(toRatio(bare, times)) : "";
      });
      rows.push([`${atATime} at a time, connections ${connections}`, ...ratios]);
    }
    agent.destroy();
    front.kill();
  }
  return rows;
});
console.log(`${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`);
// The control is the proxy beside itself: how far a ratio can be trusted.
console.log(table(["a login with an interaction", "relay", "control", "relay with Redis"], rows));
process.exit(0);

/** Where a page sends a login. */
interface Place {
  readonly port: number;
  readonly agent: Agent;
}

async function measure(place: Place, atATime: number): Promise<number> {
  const started = performance.now();
  await several(() => logIn(place), LOGINS, atATime)();
  return performance.now() - started;
}

/** What a page sends for a login with an interaction. The proxy takes no notice of the headers that are the relay's. */
async function logIn(place: Place): Promise<void> {
  // No user and no caller reaches a rate limit.
  const username = `${usernames.interaction}-${crypto.randomUUID()}`;
  const form = { provider: "test", username, password: "correct horse battery staple" };
  const login = { "x-ventanilla-login": crypto.randomUUID(), "x-ventanilla-token": "a".repeat(64) };
  const first = await post(place, form, { ...login, "x-ventanilla-submit": "1" });
  if (first.key === undefined) throw new Error(`no key: ${first.status}`);
  const answered = { ...login, "x-ventanilla-submit": "2", "x-session-key": first.key };
  const second = await post(place, { ...form, otp: "482913" }, answered);
  if (second.status !== "logged_in") throw new Error(second.status);
}

/** One login request, and its response. */
function post(
  { port, agent }: Place,
  form: Record<string, string>,
  login: Readonly<Record<string, string>>,
): Promise<{ readonly status: string; readonly key?: string }> {
  const body = new URLSearchParams(form).toString();
  const headers = {
    origin: "https://shop.example",
    "content-type": "application/x-www-form-urlencoded",
    "content-length": Buffer.byteLength(body),
    "x-ventanilla": "1",
    ...login,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, agent, method: "POST", path: "/login/", headers }, (response) => {
      text(response).then((body) => resolve(JSON.parse(body)), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
