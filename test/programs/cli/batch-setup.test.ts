import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openService, type Reply } from "../../bank/service.ts";
import { isLogin } from "../../bank/watched-bank.ts";
import { findFreePort } from "../../free-port.ts";
import { BATCH, type Line, openBatch } from "./open-batch.ts";
import { codeUser, parseLines, plainUser, run, runProcess } from "./program.ts";

const ONE_AT_A_TIME = [...BATCH, "--concurrency", "1"];
const ids = ["a", "b", "c", "d"];
const lines: Line[] = ids.map((id) => ({ id, provider: "test", ...plainUser, username: id }));
const codeLines: Line[] = ids.map((id) => ({ id, provider: "test", ...codeUser }));

const unknownKey: Reply = { json: { status: "error", message: "Key not found" }, http: 403 };

/** A service that ends after it has listed its banks. */
async function openEndingService() {
  const service = await openService(async () => ({
    write(response) {
      response.writeHead(200, { "content-type": "application/json", connection: "close" });
      response.end('{"status":"success","providers":[]}', () => void service.close());
    },
  }));
  onTestFinished(service.close);
  return service;
}

describe("a slip in the set-up burns no login:", () => {
  test("with an unknown API key nothing is sent, and the same command sends all with the right one", async () => {
    const { bank, options, results, sent } = await openBatch(lines);
    const environment = { ...bank.environment, VENTANILLA_API_KEY: "wrong" };
    const { code, stderr } = await run(BATCH, { ...options, environment });
    expect([code, stderr]).toEqual([1, expect.stringContaining("api_key_refused: ")]);
    expect([sent(), await results()]).toEqual([[], []]);
    await run(BATCH, options);
    expect(sent().sort()).toEqual(ids);
  });

  test("with an address at which no one listens, nothing is sent or begun", async () => {
    const { bank, options, results, sent } = await openBatch(lines);
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const environment = { ...bank.environment, VENTANILLA_BASE_URL: url };
    const { code, stderr } = await run(BATCH, { ...options, environment });
    expect([code, stderr]).toEqual([4, expect.stringContaining(": ECONNREFUSED]")]);
    expect(await results()).toEqual([]);
    await run(BATCH, options);
    expect(sent().sort()).toEqual(ids);
  });

  test.each<[what: string, command: string, said: string]>([
    ["does not exist", "./nothing {field}", "ENOENT"],
    ["is not in the path", "ventanilla-nothing {field}", "ENOENT"],
    ["is a folder", "./", "EACCES"],
    ["is not executable, in the path", "plain", "EACCES"],
  ])("with an answer command that %s, nothing is sent", async (_, command, said) => {
    const { bank, cwd, write, options } = await openBatch(codeLines);
    await write("plain", "#!/bin/sh\necho 8888");
    const environment = { ...bank.environment, PATH: `/nonexistent:${cwd}` };
    const stderr = expect.stringContaining(`[--answer-command: ${said}]`);
    const words = ["--answer-command", command];
    expect(await run([...BATCH, ...words], { ...options, environment })).toMatchObject({ code: 2, stderr });
    expect(await run(["login", "test", ...words], { ...options, environment })).toMatchObject({ code: 2, stderr });
    expect(bank.requests).toEqual([]);
    // Here is one that can be run.
    await chmod(join(cwd, "plain"), 0o700);
    if (command.endsWith("plain")) expect((await run([...BATCH, ...words], { ...options, environment })).code).toBe(0);
  });
});

describe("a batch stops at the first fault of the set-up:", () => {
  test("the API key is revoked. What the service refused is sent by the same command, and nothing twice", async () => {
    let isRevoked = true;
    const { options, results, statuses, sent } = await openBatch(lines, (request) =>
      isLogin(request) && request.form["username"] !== "a" && isRevoked ? unknownKey : undefined,
    );
    const stopped = await run([...ONE_AT_A_TIME, "--json"], options);
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining("Stopped, because the next login")]);
    expect(parseLines(stopped.stdout).at(-1)).toMatchObject({
      state: "failed",
      code: "api_key_refused",
      httpStatus: 403,
    });
    expect(await results()).toMatchObject([
      { id: "a", state: "failed", code: "wrong_credentials" },
      { id: "b", state: "failed", code: "api_key_refused", sent: false },
    ]);
    isRevoked = false;
    expect((await run(ONE_AT_A_TIME, options)).code).toBe(8);
    expect(sent()).toEqual(["a", "b", "b", "c", "d"]);
    expect((await statuses()).slice(2).map(([id]) => id)).toEqual(["b", "c", "d"]);
    expect((await results()).map(({ attempt }) => attempt)).toEqual([1, 1, 2, 1, 1]);
  });

  test("the service has ended. What could not connect is sent by the same command", async () => {
    const { bank, options, results, sent } = await openBatch(lines);
    const ending = await openEndingService();
    const environment = { ...bank.environment, VENTANILLA_BASE_URL: ending.url };
    expect((await run(ONE_AT_A_TIME, { ...options, environment })).code).toBe(4);
    const refused = { id: "a", state: "failed", code: "network_failed", detail: "ECONNREFUSED", sent: false };
    expect(await results()).toMatchObject([refused]);
    await run(ONE_AT_A_TIME, options);
    expect([ending.lines(), sent()]).toEqual([["GET /provider/"], ids]);
  });

  test.each<[code: string, reply: Reply, exit: number, hint?: string]>([
    ["outcome_unknown", { http: 403, text: "<html>Forbidden</html>" }, 5, "outcome_unknown"],
    ["redirect_refused", { http: 307, headers: { location: "/" }, text: "" }, 1],
  ])(
    "%s, after which the bank may have the login: it is sent again with --resend only",
    async (code, reply, exit, hint) => {
      let isFaulty = true;
      const { options, statuses, sent } = await openBatch(lines, (request) =>
        isLogin(request) && isFaulty ? reply : undefined,
      );
      expect((await run(ONE_AT_A_TIME, options)).code).toBe(exit);
      expect([sent(), await statuses()]).toEqual([["a"], [["a", code]]]);
      isFaulty = false;
      const { stderr } = await run(ONE_AT_A_TIME, options);
      // The others have ended with a wrong password, which nothing tells anybody to send again.
      expect(/--resend (.*)/.exec(stderr)?.[1]).toBe(hint);
      expect(sent()).toEqual(ids);
      await run([...ONE_AT_A_TIME, "--resend", code], options);
      expect(sent()).toEqual([...ids, "a"]);
    },
  );

  test("the answer command can't start its own program: one login is sent, again with --resend only", async () => {
    const { options, statuses, sent } = await openBatch(codeLines);
    const answering = (command: string) => [...ONE_AT_A_TIME, "--answer-command", command];
    const { code, stderr } = await run(answering("env ventanilla-nothing"), options);
    expect([code, stderr]).toEqual([2, expect.stringContaining("[--answer-command: exit code 127]")]);
    expect([sent().length, await statuses()]).toEqual([1, [["a", "file_unusable"]]]);
    expect((await run([...answering("echo 8888"), "--resend", "file_unusable"], options)).code).toBe(0);
    // An answer is a second request.
    expect(sent()).toHaveLength(1 + 2 * ids.length);
  });

  // Which faults stop it is in test/core/batch.
  test("but not at the fault of one login", async () => {
    const { options, statuses, sent } = await openBatch(lines, (request) =>
      isLogin(request) && request.form["username"] === "a" ? { http: 500, text: "" } : undefined,
    );
    expect((await run(ONE_AT_A_TIME, options)).code).toBe(8);
    expect(sent()).toEqual(ids);
    expect((await statuses())[0]).toEqual(["a", "outcome_unknown"]);
  });
});

describe("what never reached the bank", () => {
  test("is sent by the same command after its line was corrected", async () => {
    const { write, options, results } = await openBatch([{ id: "a", ...plainUser, provider: "tset" }]);
    expect((await run(BATCH, options)).code).toBe(8);
    expect(await results()).toMatchObject([{ state: "failed", code: "provider_doesnt_exist", sent: false }]);
    await write("logins.jsonl", JSON.stringify({ id: "a", ...plainUser, provider: "test" }));
    expect((await run(BATCH, options)).code).toBe(0);
  });

  test("is not a login whose answer was refused: the bank has had its first part", async () => {
    const { options, results, sent } = await openBatch(
      codeLines.slice(0, 1).map((line) => ({ ...line, answers: { otp: "8888" } })),
      (request) => (request.form["otp"] ? unknownKey : undefined),
    );
    for (const code of [1, 8]) expect((await run(BATCH, options)).code).toBe(code);
    expect(await results()).toEqual([expect.not.objectContaining({ sent: false })]);
    expect(sent()).toHaveLength(2);
  });
});

describe("--restate is refused before anything is sent", () => {
  test.each<[what: string, words: readonly string[], hasKey: boolean, code: number, said: string]>([
    ["without the seal key of the workers", [], false, 2, "[--seal-key-from: or VENTANILLA_SEAL_KEY]"],
    ["with --refusals", ["--refusals", "folder:refusals"], true, 2, "[--refusals: can't be given with --restate]"],
    ["at an address at which no one listens", [], true, 4, "[--restate: ECONNREFUSED]"],
  ])("%s", async (_, words, hasKey, expected, said) => {
    const { bank, options } = await openBatch(lines);
    const environment = hasKey ? bank.sealingEnvironment : bank.environment;
    const restate = ["--restate", `http://127.0.0.1:${await findFreePort()}`];
    const { code, stderr } = await run([...BATCH, ...restate, ...words], { ...options, environment });
    expect([code, stderr]).toEqual([expected, expect.stringContaining(said)]);
    expect(bank.requests).toEqual([]);
  });

  test("without its package, which it names", async () => {
    const { bank, options } = await openBatch(lines);
    // The program in the temporary folder has no packages beside it.
    const words = [...BATCH, "--restate", "http://127.0.0.1:8080"];
    const { code, stderr } = await runProcess(words, { ...options, environment: bank.sealingEnvironment });
    const name = "@restatedev/restate-sdk-clients";
    expect([code, stderr]).toEqual([1, expect.stringContaining(`needs the package ${name}: npm install ${name}`)]);
  });
});

test.each(["nothing", "logged_in", "wrong_credentials,", "wrong_credentials outcome_unknown"])(
  "--resend %s is refused",
  async (statuses) => {
    const { bank, options } = await openBatch(lines);
    const stderr = expect.stringContaining("[--resend: must be codes or states of the results, with commas]");
    expect(await run([...BATCH, "--resend", statuses], options)).toMatchObject({ code: 2, stderr });
    expect(bank.requests).toEqual([]);
  },
);
