import { randomBytes } from "node:crypto";
import { chmod, copyFile, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { watchedBank } from "../../bank/watched-bank.ts";
import {
  clientUser,
  codeUser,
  ownFolder,
  parseLines,
  plainUser,
  type Result,
  run,
  runLogin,
  startHere,
} from "./program.ts";

const UUID = /^[\da-f-]{36}\n$/;
const printedKey = expect.stringMatching(UUID);
const list = ["destinations", "--key-from", "session.key"];

const readEvents = ({ stderr }: Result) =>
  stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));

/** A bank, and a folder to run commands in, with a key to seal with. */
async function openPlace() {
  const [bank, cwd] = await Promise.all([watchedBank(), ownFolder()]);
  return { bank, cwd, options: { cwd, environment: bank.sealingEnvironment } };
}

describe("credentials", () => {
  test("are not prompted for: the error names all that is missing", async () => {
    const result = await run(["login", "canal_pa", "--json"]);
    const line = { state: "failed", code: "missing_field", missing: ["username", "password", "company_code"] };
    expect(parseLines(result.stdout)).toMatchObject([line]);
    expect(result.stderr).toContain("Give them with --credentials-from FILE");
    const { code, stderr } = await run(["login"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Missing, with no terminal to ask in: CODE.")]);
  });

  test.each([
    [{ company_code: "7701", branch: "9" }, "branch: is not a field of the bank"],
    [{ company_code: "7701", token: "135790" }, "token: is an answer: the bank asks for it after the login"],
  ])("are not sent with a field that the first login does not take: $0", async (fields, said) => {
    const { environment, sent } = await watchedBank();
    const { code, stderr } = await runLogin("canal_pa", { ...clientUser, fields }, [], { environment });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`[${said}]`)]);
    expect(sent("username")).toEqual([]);
  });
});

describe("a login in a script", () => {
  test("prints its lifecycle events with --events, one per line, beside its result", async () => {
    const result = await runLogin("test", { ...codeUser, answers: { otp: "8888" } }, ["--events", "--print-key"]);
    expect(result).toMatchObject({ code: 0, stdout: printedKey });
    expect(readEvents(result)).toMatchObject([
      { type: "login.started", provider: "test" },
      { type: "interaction.required", provider: "test", field: "otp" },
      { type: "interaction.answered", provider: "test" },
      { type: "login.finished", provider: "test", code: "logged_in", duration: expect.any(Number) },
    ]);
    expect(result.stderr).not.toMatch(/asdfg|12345otp/);
  });

  test("chooses the client of --client; without it prints the key of a login that waits for a choice", async () => {
    const waiting = await runLogin("canal_pa", { ...clientUser, username: "newkey" }, ["--print-key"]);
    expect(waiting).toMatchObject({ code: 7, stdout: printedKey });
    expect(waiting.stderr).toContain(
      "client_selection_off: The bank asks you to choose a client. Pass its id with --client.",
    );
    expect((await runLogin("canal_pa", clientUser, ["--client", "FIC-02412222"])).code).toBe(0);
  });

  test("closes the other session with --replace-session; without it writes no key of that session", async () => {
    const cwd = await ownFolder();
    const user = { username: "sessions", password: "s3creto" };
    await writeFile(join(cwd, "session.key"), "the good one\n");
    const words = ["--key-to", "session.key", "--print-key", "--json"];
    const kept = await runLogin("faro_uy", user, words, { cwd });
    expect(kept.code).toBe(6);
    expect(parseLines(kept.stdout).at(-1)).not.toHaveProperty("key");
    expect(await readFile(join(cwd, "session.key"), "utf8")).toBe("the good one\n");
    expect((await runLogin("faro_uy", user, ["--replace-session"])).code).toBe(0);
  });
});

describe("an answer", () => {
  test("comes from a program, which runs without a shell and gets the question", async () => {
    const cwd = await ownFolder();
    const program = `
      import { readFileSync, writeFileSync } from "node:fs";
      const request = { words: process.argv.slice(2), input: readFileSync(0, "utf8") };
      for (const [name, value] of Object.entries(process.env)) {
        if (name.startsWith("VENTANILLA_")) request[name.slice("VENTANILLA_".length)] = value;
      }
      writeFileSync("request.json", JSON.stringify(request));
      console.log(" 8888 ");`;
    await writeFile(join(cwd, "otp.mjs"), program);
    const bank = await watchedBank();
    const environment = {
      ...bank.environment,
      VENTANILLA_CLAIMS: "redis://:s3creto@127.0.0.1",
      VENTANILLA_STORE: "redis://:s3creto@127.0.0.1",
      VENTANILLA_SERVE_KEY: "s3creto",
      VENTANILLA_WEBHOOK_SECRET: "s3creto",
    };
    const command = `'${process.execPath}' otp.mjs {field} "at {provider}; echo $HOME"`;
    expect((await runLogin("test", codeUser, ["--answer-command", command], { cwd, environment })).code).toBe(0);
    expect(JSON.parse(await readFile(join(cwd, "request.json"), "utf8"))).toEqual({
      words: ["otp", "at test; echo $HOME"],
      input: "OTP required\n",
      FIELD: "otp",
      PROVIDER: "test",
      KIND: "code",
      PICTURE: "",
      LOGIN: "",
      QUESTION: "OTP required",
      ANSWERS_SENT: "0",
    });
  });

  test.each([
    ["false", "--answer-command: exit code 1"],
    // The programs that it has started are not waited for either.
    ["sh -c 'sleep 60 2>/dev/null & head -c 9000 /dev/zero; wait'", "--answer-command: wrote too much"],
  ])("does not come from %s", async (command, said) => {
    const { code, stderr } = await runLogin("test", codeUser, ["--answer-command", command]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  });

  test("that takes too long is a fault if the interaction has not expired", async () => {
    const { options } = await openPlace();
    expect((await runLogin("test", codeUser, ["--pause-to", "paused"], options)).code).toBe(7);
    const slow = ["--answer-command", "sleep 30", "--answer-timeout", "0.2"];
    const { code, stderr } = await run(["login", "--resume", "paused", ...slow], options);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--answer-command: took too long")]);
  });

  test("from the credentials is sent once: if the bank asks again, it was wrong", async () => {
    const { environment, sent } = await watchedBank();
    const credentials = { username: "otp", password: "s3creto", answers: { otp: "000000" } };
    const { code, stdout } = await runLogin("quetzal_mx", credentials, ["--json"], { environment });
    const line = { state: "awaiting_interaction", field: "otp", number: 2, isRepeat: true, answersSent: 1 };
    expect([code, parseLines(stdout)]).toMatchObject([7, [line]]);
    expect(sent("otp")).toEqual([undefined, "000000"]);
  });

  test.each(["base32", "otpauth"])("is a one-time code made from a stored secret (%s)", async (kind) => {
    const totp = new TOTP({ issuer: "Bank", label: "me", secret: "JBSWY3DPEHPK3PXP" });
    const { environment, sent } = await watchedBank();
    const credentials = { ...codeUser, totp: kind === "base32" ? totp.secret.base32 : totp.toString() };
    const before = totp.generate();
    expect((await runLogin("test", credentials, [], { environment })).code).toBe(3);
    expect([before, totp.generate()]).toContain(sent("otp").at(-1));
  });
});

describe("a session key", () => {
  test("is printed with --print-key only, alone on standard output", async () => {
    const stderr = expect.stringContaining("logged_in: You are logged in.");
    expect(await runLogin("test", plainUser, ["--print-key"])).toEqual({ code: 0, stdout: printedKey, stderr });
    const { stdout } = await runLogin("test", plainUser, ["--json"]);
    expect(parseLines(stdout)).toEqual([{ state: "logged_in", provider: "test" }]);
  });

  test("goes to a file of mode 600, and from there to destinations and logout", async () => {
    const { cwd, options } = await openPlace();
    // A file that others could read is replaced, not reused.
    await writeFile(join(cwd, "session.key"), "old", { mode: 0o644 });
    // Of a process that was killed. In a container the next one has the same number.
    await writeFile(join(cwd, `session.key.${process.pid}.new`), "");
    expect((await runLogin("test", plainUser, ["--key-to", "session.key"], options)).stdout).toBe("");
    expect((await stat(join(cwd, "session.key"))).mode & 0o777).toBe(0o600);
    expect(parseLines((await run([...list, "--json"], options)).stdout)).toEqual([
      { id: 1, name: "Institución de prueba 1" },
      { id: 2, name: "Institución de prueba 2" },
    ]);
    expect((await run(["logout", "--key-from", "session.key"], options)).stdout).toBe("The session is closed.\n");
    expect((await run(list, options)).code).toBe(4);
  });

  test.each(["--key-to", "--record", "--pause-to"])(
    "%s to a file that can't be written is refused before anything is sent",
    async (option) => {
      const { bank, options } = await openPlace();
      const { code, stderr } = await runLogin("test", plainUser, [option, "/nonexistent/file"], options);
      expect([code, stderr]).toEqual([2, `file_unusable: A file can't be used. [${option}: ENOENT]\n`]);
      expect(bank.requests).toEqual([]);
    },
  );

  test("can be sealed, and opened with the same seal key only", async () => {
    const { cwd, options } = await openPlace();
    const { stdout } = await runLogin("test", plainUser, ["--print-key", "--seal"], options);
    expect(stdout).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+\n$/);
    await writeFile(join(cwd, "session.key"), stdout);
    expect((await run(list, options)).code).toBe(0);
    await writeFile(join(cwd, "other"), randomBytes(32).toString("base64"));
    expect((await run([...list, "--seal-key-from", "other"], options)).code).toBe(4);
  });

  test("can come from the environment; without one the error names the option", async () => {
    const { code, stderr } = await run(["logout"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("[--key-from: or VENTANILLA_SESSION_KEY]")]);
    expect((await run(["logout"], { environment: { VENTANILLA_SESSION_KEY: "unknown-key" } })).code).toBe(4);
  });
});

describe("a paused login", () => {
  const answer = ["--answer-command", "echo 8888"];

  test("goes on from its file, once", async () => {
    const { bank, cwd, options } = await openPlace();
    const { code, stdout } = await runLogin("test", codeUser, ["--pause-to", "paused", "--json"], options);
    const line = { state: "paused", provider: "test", field: "otp", context: "OTP required" };
    expect([code, parseLines(stdout)]).toMatchObject([7, [line]]);
    const file = join(cwd, "paused");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).not.toMatch(/asdfg|12345otp/);

    await symlink("paused", join(cwd, "link"));
    const resume = ["login", "--resume", "paused"];
    // Without an answer the file is not used up.
    expect((await run(resume, options)).code).toBe(7);
    const token = await readFile(file);
    expect(await run(["login", "--resume", "link", ...answer, "--print-key"], options)).toMatchObject({
      stdout: printedKey,
      stderr: expect.not.stringContaining("claimStore"),
    });
    expect(bank.sent("otp")).toEqual([undefined, "8888"]);
    expect((await run([...resume, ...answer], options)).code).toBe(2);
    await writeFile(file, token.fill("A", 200, 210));
    expect((await run([...resume, ...answer], options)).code).toBe(4);
  });

  test("goes on once, from its file or from a copy of it", async () => {
    const { bank, cwd, options } = await openPlace();
    await runLogin("test", codeUser, ["--pause-to", "paused"], options);
    for (const name of ["early", "late"]) await copyFile(join(cwd, "paused"), join(cwd, name));
    const words = (name: string) => ["login", "--resume", join(cwd, name), ...answer];
    const ended = ["paused", "early"].map((name) => startHere(words(name), options.environment).ended);
    expect((await Promise.all(ended)).sort()).toEqual([0, 4]);
    expect(await run(words("late"), options)).toMatchObject({ code: 4, stderr: expect.stringContaining("token_used") });
    expect(bank.sent("otp")).toEqual([undefined, "8888"]);
  });

  test.each<[what: string, mode: number, environment: Record<string, string>, code: number, said: string]>([
    ["that others can change", 0o777, {}, 2, "state folder: others can change it; chmod go-w helps"],
    ["that is a file", 0o600, {}, 2, "state folder: EEXIST"],
    ["in the current folder", 0o700, { XDG_STATE_HOME: "state", HOME: "" }, 2, "XDG_STATE_HOME"],
  ])("is not resumed if its claims would be in a folder %s", async (_, mode, more, code, said) => {
    const { bank, cwd, options } = await openPlace();
    await runLogin("test", codeUser, ["--pause-to", "paused"], options);
    const claims = join(cwd, "state", "ventanilla", "claims");
    await mkdir(join(claims, ".."), { recursive: true });
    if (mode === 0o600) await writeFile(claims, "");
    else await mkdir(claims);
    await chmod(claims, mode);
    const environment = { ...options.environment, XDG_STATE_HOME: join(cwd, "state"), ...more };
    // Without one the home is that of the process.
    if ("HOME" in more) vi.stubEnv("HOME", more["HOME"]);
    onTestFinished(() => void vi.unstubAllEnvs());
    const result = await run(["login", "--resume", "paused", ...answer], { ...options, environment });
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(`[${said}]`) });
    expect(bank.sent("otp")).toEqual([undefined]);
  });

  test("that is paused again is in one file only", async () => {
    const { bank, cwd, options } = await openPlace();
    await symlink("two", join(cwd, "link"));
    await runLogin("test", codeUser, ["--pause-to", "one"], options);
    expect((await run(["login", "--resume", "one", "--pause-to", "two"], options)).code).toBe(7);
    expect((await run(["login", "--resume", "one"], options)).code).toBe(2);
    for (const pauseTo of ["two", "link"])
      expect((await run(["login", "--resume", "link", "--pause-to", pauseTo], options)).code).toBe(7);
    const at = (name: string) => join(cwd, name);
    const resumed = ["three", "four"].map(
      (name) => startHere(["login", "--resume", at("two"), "--pause-to", at(name)], options.environment).ended,
    );
    await Promise.all(resumed);
    const codes: unknown[] = [];
    for (const name of ["link", "three", "four"]) {
      codes.push((await run(["login", "--resume", name, ...answer], options)).code);
    }
    expect(codes.sort()).toEqual([0, 2, 2]);
    expect(bank.sent("otp")).toEqual([undefined, "8888"]);
  });

  test("can wait for a choice of client, which the resuming command makes", async () => {
    const { bank, options } = await openPlace();
    const { code, stdout } = await runLogin("canal_pa", clientUser, ["--pause-to", "one", "--json"], options);
    const clients = expect.arrayContaining([{ id: "FIC-02412222", name: expect.any(String) }]);
    expect([code, parseLines(stdout)]).toMatchObject([7, [{ state: "paused", provider: "canal_pa", clients }]]);
    // Without a choice the file is not used up.
    expect((await run(["login", "--resume", "one"], options)).code).toBe(7);
    const resume = ["login", "--resume", "one", "--client", "FIC-02412222", "--print-key"];
    expect(await run(resume, options)).toMatchObject({ code: 0, stdout: printedKey });
    expect((await run(resume, options)).code).toBe(2);
    expect(bank.sent("username")).toHaveLength(1);
  });

  test.each([
    [["--resume", "-"], "--resume: must be a file, which is used up"],
    [["--resume", "paused", "--replace-session"], "--replace-session: goes with the command that pauses"],
  ])("is not resumed with %j", async (words, said) => {
    const { options } = await openPlace();
    const { code, stderr } = await run(["login", ...words], options);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`[${said}]`)]);
  });

  test("needs a service that outlives the command and a seal key, which is checked before anything is sent", async () => {
    const { bank, options } = await openPlace();
    const { VENTANILLA_SEAL_KEY } = options.environment;
    const pause = (environment: Record<string, string>) =>
      runLogin("test", codeUser, ["--pause-to", "x"], { environment });
    const embedded = expect.stringContaining("[--pause-to: the embedded sandbox");
    expect(await pause({ VENTANILLA_SEAL_KEY })).toMatchObject({ code: 2, stderr: embedded });
    const keyless = expect.stringContaining("[--seal-key-from: or VENTANILLA_SEAL_KEY]");
    expect(await pause(bank.environment)).toMatchObject({ code: 2, stderr: keyless });
    expect(bank.requests).toEqual([]);
  });
});

test.each([
  ["nobranch", 3, { state: "failed", code: "missing_credentials", missingFields: ["branch"] }, "[branch]"],
  [
    "credentials",
    3,
    {
      state: "failed",
      code: "wrong_credentials",
      description: "The bank did not accept the username or the password.",
    },
    "try again. (The bank did not accept the username or the password.)",
  ],
])("what the bank says of %s is in the line and in the text for people", async (username, exit, line, said) => {
  const login = (...words: string[]) =>
    run(["login", "rareza_do", "--credentials-from", "-", ...words], {
      input: JSON.stringify({ username, password: "s3creto" }),
    });
  const { code, stdout, stderr } = await login("--json");
  expect(code).toBe(exit);
  expect(parseLines(stdout)).toMatchObject([line]);
  expect(stderr).toContain(said);
});
