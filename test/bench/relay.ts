import { fork, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { usernames } from "./canned.ts";
import { several, withBank } from "./contenders.ts";
import { root } from "./entries.ts";
import { mapValues, runRounds, type Spread, toRatio } from "./rounds.ts";

/** How much of the throughput of a bare proxy a relay and `ventanilla serve` reach, for logins with an interaction. */
export interface RelayFigures {
  readonly atATime: number;
  /** Those of the page and of the proxy: kept open, or one for each request. The relay opens one to the bank for each login. */
  readonly connections: "kept" | "fresh";
  readonly relay: Spread;
  /** With the session that a back end makes, and its page: four requests in place of two. */
  readonly serve: Spread;
  /** The proxy beside itself: how far a ratio can be trusted. */
  readonly control: Spread;
}

const LOGINS = 64;
const SERVE_KEY = "a-key-for-the-benchmark-alone";

/** Measures batches in turns, so that each ratio compares batches that ran one after the other. */
export function measureRelay(rounds: number): Promise<readonly RelayFigures[]> {
  return withBank(async (baseUrl) => {
    const figures: RelayFigures[] = [];
    for (const connections of ["kept", "fresh"] as const) {
      const front = fork(fileURLToPath(new URL("front.js", import.meta.url)), [baseUrl, connections]);
      const agent = new Agent({ keepAlive: connections === "kept" });
      const [[relay, proxy]] = (await once(front, "message")) as [readonly [number, number]];
      const serve = await startServe(baseUrl);
      const logIns = {
        relay: () => logIn({ port: relay, agent }),
        serve: () => logInHosted({ port: serve.port, agent }),
        proxy: () => logIn({ port: proxy, agent }),
        control: () => logIn({ port: proxy, agent }),
      };
      for (const atATime of [1, 64]) {
        const measures = mapValues(logIns, (login) => () => measure(login, atATime));
        const took = await runRounds(measures, rounds, Math.ceil(rounds / 10));
        const { proxy, ...others } = took;
        figures.push({ atATime, connections, ...mapValues(others, (each) => toRatio(proxy, each)) });
      }
      agent.destroy();
      front.kill();
      serve.stop();
    }
    return figures;
  });
}

/** `ventanilla serve`, with the sessions in its memory. */
async function startServe(baseUrl: string) {
  const program = fileURLToPath(new URL("dist/src/programs/cli/main.js", root));
  const words = ["serve", "--port", "0", "--json", "--name", "Shop", "--caller-header", "x-real-ip"];
  const environment = {
    VENTANILLA_BASE_URL: baseUrl,
    VENTANILLA_API_KEY: "api-key",
    VENTANILLA_SERVE_KEY: SERVE_KEY,
    VENTANILLA_SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...environment },
  });
  const [line] = await once(child.stdout, "data");
  return { port: Number(new URL(JSON.parse(String(line)).url).port), stop: () => void child.kill() };
}

async function measure(login: () => Promise<void>, atATime: number): Promise<number> {
  const started = performance.now();
  await several(login, LOGINS, atATime)();
  return performance.now() - started;
}

/** Where a page sends a login, and how. */
interface Place {
  readonly port: number;
  readonly agent: Agent;
  /** Of the relay. Default none. */
  readonly prefix?: string;
  /** Of the page. Default that of the relay's page. */
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a page sends for a login with an interaction. The proxy takes no notice of the headers that are the relay's. */
async function logIn(place: Place): Promise<void> {
  // No user and no caller reaches a rate limit.
  const username = `${usernames.interaction}-${crypto.randomUUID()}`;
  const form = { provider: "test", username, password: "correct horse battery staple" };
  const first = await post(place, form);
  if (first.key === undefined) throw new Error(`no key: ${first.status}`);
  const second = await post(place, { ...form, otp: "482913" }, first.key);
  if (second.status !== "logged_in") throw new Error(second.status);
}

/** The same by an address: a back end makes the session, a person opens its page. */
async function logInHosted({ port, agent }: Place): Promise<void> {
  const authorization = { authorization: `Bearer ${SERVE_KEY}`, "content-type": "application/json" };
  const body = JSON.stringify({ user: crypto.randomUUID() });
  const created = await exchange({ port, agent, method: "POST", path: "/sessions", headers: authorization }, body);
  const { id, url } = JSON.parse(created.text);
  const caller = { "x-real-ip": [10, ...Array.from({ length: 3 }, () => randomInt(1, 255))].join(".") };
  const { pathname, origin } = new URL(url);
  const page = await exchange({ port, agent, method: "GET", path: pathname, headers: caller });
  const cookie = page.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const headers = { ...caller, cookie, "x-ventanilla-login": id };
  await logIn({ port, agent, prefix: `${pathname.slice(0, pathname.lastIndexOf("/"))}/bank`, origin, headers });
}

interface Reply {
  readonly status: string;
  readonly key?: string;
}

async function post(
  { port, agent, prefix = "", origin = "https://shop.example", headers }: Place,
  form: Record<string, string>,
  key?: string,
): Promise<Reply> {
  const sent = {
    origin,
    "content-type": "application/x-www-form-urlencoded",
    "x-ventanilla": "1",
    "x-attempt-id": crypto.randomUUID(),
    ...headers,
    ...(key !== undefined && { "x-session-key": key }),
  };
  const body = new URLSearchParams(form).toString();
  const { text } = await exchange({ port, agent, method: "POST", path: `${prefix}/login/`, headers: sent }, body);
  return JSON.parse(text);
}

/** One request, and its whole response. */
function exchange(options: RequestOptions, body = ""): Promise<{ headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { ...options.headers, "content-length": Buffer.byteLength(body) };
    const sent = request({ host: "127.0.0.1", ...options, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ headers: response.headers, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A table of it, in Markdown. */
export const reportRelay = (figures: readonly RelayFigures[]): string =>
  [
    "| a login with an interaction | relay | `serve`, with its session and page | control |",
    "| --- | ---: | ---: | ---: |",
    ...figures.map(
      ({ atATime, connections, relay, serve, control }) =>
        `| ${atATime} at a time, connections ${connections} | ${[relay, serve, control].map(format).join(" | ")} |`,
    ),
  ].join("\n");

const format = ({ median, lower, upper }: Spread): string =>
  `**${median.toFixed(2)}** (${lower.toFixed(2)}–${upper.toFixed(2)})`;

// `npm run bench -- relay` measures this alone, with `--quick` in some seconds.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(`${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(reportRelay(await measureRelay(process.argv.includes("--quick") ? 10 : 40)));
  process.exit(0);
}
