import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { asks, loggedIn, promised } from "../../../bank/service.ts";
import { isLogin, watchedBank } from "../../../bank/watched-bank.ts";
import { forwardRedis, startRedis } from "../../../core/stores/servers.ts";
import { insist, logInAtPage } from "../../../servers/hosted/person.ts";
import { parseLines, start } from "../program.ts";
import { installWithPackages } from "../with-packages.ts";

const KEY = "a-serve-key-of-a-test-01";

/** People who log in at the same time, and how many of them are at the bank when the store goes. */
const PEOPLE = 30;
const AT_THE_BANK = 10;

/** A bank with one question. It holds the logins that come from half of the people on, until the store is gone. */
async function openBank(onHeld: () => void, isGone: Promise<unknown>) {
  let logins = 0;
  return watchedBank(async (request) => {
    if (!isLogin(request)) return undefined;
    logins += 1;
    if (logins === PEOPLE / 2 + AT_THE_BANK) onHeld();
    if (logins > PEOPLE / 2) await isGone;
    const { username } = request.form;
    return request.url.includes("key=") ? loggedIn(`key-of-${username}`) : asks("otp", `asked-${username}`);
  });
}

test("under a load a Redis is killed and comes back: no session is lost, no login is sent twice", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const [held, gone] = [promised(), promised()];
  const bank = await openBank(held.keep, gone.promise);
  const [address, { main }] = await Promise.all([forwardRedis(redis), installWithPackages()]);
  const environment = {
    ...bank.environment,
    VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64"),
    VENTANILLA_SERVE_KEY: KEY,
    VENTANILLA_STORE: address,
  };
  const words = ["serve", "--json", "--port", "0", "--name", "Shop", "--caller-header", "x-real-ip"];
  const { child, result, firstLine } = await start(words, { environment, main });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { url } = await firstLine();
  let err = "";
  child.stderr.on("data", (part) => {
    err += part;
  });
  /** Each line is JSON, also with many logins at a time. */
  const readLog = () => parseLines(err.slice(0, err.lastIndexOf("\n") + 1));
  /** Sessions of which something could not be written at once. */
  const countUnwritten = () => {
    const failed = readLog().filter(
      ({ event, error, field }) => [event, error, field].join() === "error,handler_failed,store",
    );
    return new Set(failed.flatMap(({ session }) => session ?? [])).size;
  };
  const call = async (line: string, body?: object) => {
    const [method = "", path = ""] = line.split(" ");
    const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json", "idempotency-key": "job" };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { http: response.status, retryAfter: response.headers.get("retry-after"), body: await response.json() };
  };

  /** As a back end does: it repeats what gets 503, and nothing else. */
  const insistOn = (line: string, body?: object) =>
    insist(async () => {
      const response = await call(line, body);
      return response.http === 503 ? undefined : response;
    });
  async function logIn(index: number) {
    const created = await insistOn("POST /sessions", { user: `${index}`, provider: "test" });
    const headers = { "x-real-ip": `203.0.113.${index}` };
    await logInAtPage(created.body.url, { username: `user-${index}`, headers });
    const taken = await insistOn(`POST /sessions/${created.body.id}/key`);
    return [created.http, taken.http, taken.body.key];
  }
  const people = Array.from({ length: PEOPLE }, (_, index) => index);
  const loggingIn = Promise.all(people.map(logIn));
  await held.promise;
  await redis.kill();
  const session = { user: "another" };
  const refused = { http: 503, retryAfter: "5", body: { error: "service_unavailable" } };
  expect(await call("POST /sessions", session)).toMatchObject(refused);
  expect(await call("GET /ready")).toMatchObject({ http: 503, body: { status: "store_failed" } });
  expect(await call("GET /health")).toMatchObject({ http: 200 });
  gone.keep();
  // What the bank says now, the store does not take: the log has it.
  await expect.poll(countUnwritten).toBeGreaterThanOrEqual(AT_THE_BANK);
  await redis.restart();

  expect(await loggingIn).toEqual(people.map((index) => [201, 200, `key-of-user-${index}`]));
  const sent = bank.requests.filter(isLogin).map(({ url, form }) => `${form["username"]} ${url}`);
  const forms = people.flatMap((index) => [`user-${index} /login/`, `user-${index} /login/?key=asked-user-${index}`]);
  expect(sent.sort()).toEqual(forms.sort());
  await expect.poll(async () => (await call("GET /ready")).http).toBe(200);
  expect(await call("POST /sessions", session)).toMatchObject({ http: 201 });
  child.kill("SIGTERM");
  expect((await result).code).toBe(0);
  const log = readLog();
  expect(log.at(-1)).toMatchObject({ event: "stopped" });
  // Each fault belongs to a session or to a request.
  const requests = log.flatMap(({ httpStatus, requestId }) => (httpStatus === 503 ? [requestId] : []));
  const faults = log.filter(({ event, session, login }) => event === "error" && !(session ?? login));
  expect(faults.length).toBeGreaterThan(0);
  for (const { requestId } of faults) expect(requests).toContain(requestId);
});
