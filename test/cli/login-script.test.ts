import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { isLogin, watchedBank } from "./bank.ts";
import { ownFolder, parseLines, run } from "./program.ts";

const plain = JSON.stringify({ username: "12345", password: "gfdsa" });
const asksCode = { username: "12345otp", password: "asdfg" };
const UUID = /^[\da-f-]{36}\n$/;

describe("login in a script", () => {
  test("takes its credentials from standard input and prints the key, alone, where it is asked for", async () => {
    const { code, stdout, stderr } = await run(["login", "test", "--credentials-from", "-", "--print-key"], {
      input: plain,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(UUID);
    expect(stderr).toContain("logged_in: You are logged in.");
  });

  test("prints no key unless it is asked for", async () => {
    const ending = await run(["login", "test", "--credentials-from", "-", "--json"], { input: plain });
    expect(parseLines(ending)).toEqual([{ status: "logged_in", provider: "test" }]);
  });

  test("prints the key where it is asked for, be the client chosen or not", async () => {
    const input = JSON.stringify({ username: "newkey", password: "s3creto", fields: { company_code: "7701" } });
    const words = ["login", "canal_pa", "--credentials-from", "-", "--print-key"];
    const { code, stdout, stderr } = await run(words, { input });
    expect([code, stdout]).toEqual([10, expect.stringMatching(UUID)]);
    expect(stderr).toContain("select_client: The bank wants a client chosen. Give one with --client.");
  });

  test("writes no key of a session that is in the way: it is somebody else's", async () => {
    const cwd = await ownFolder();
    await writeFile(join(cwd, "session.key"), "the good one\n");
    const words = ["login", "faro_uy", "--credentials-from", "-", "--key-to", "session.key", "--print-key", "--json"];
    const input = JSON.stringify({ username: "sessions", password: "s3creto" });
    const ending = await run(words, { cwd, input });
    expect(ending.code).toBe(24);
    expect(parseLines(ending).at(-1)).not.toHaveProperty("key");
    expect(await readFile(join(cwd, "session.key"), "utf8")).toBe("the good one\n");
  });

  test.each([
    ["644", true],
    ["640", true],
    ["600", false],
  ])("credentials in a file of mode %s: a warning, %s", async (mode, isWarned) => {
    const cwd = await ownFolder();
    await writeFile(join(cwd, "login.json"), plain, { mode: Number.parseInt(mode, 8) });
    const { code, stderr } = await run(["login", "test", "--credentials-from", "login.json"], { cwd });
    expect(code).toBe(0);
    const warning = "Others on this machine can read this file, which holds secrets (chmod 600 helps): login.json";
    expect(stderr.includes(warning)).toBe(isWarned);
  });

  test("refuses a time to answer that no timer can wait for, before anything is sent", async () => {
    const words = ["login", "test", "--credentials-from", "-", "--answer-timeout", "9999999"];
    const { code, stderr } = await run(words, { input: plain });
    expect([code, stderr]).toEqual([2, expect.stringContaining("[--answer-timeout: must be 24 days at most]")]);
  });

  test("tells how it goes, one event per line, beside what it prints", async () => {
    const { code, stdout, stderr } = await run(
      ["login", "test", "--credentials-from", "-", "--events", "--print-key"],
      {
        input: JSON.stringify({ ...asksCode, answers: { otp: "8888" } }),
      },
    );
    expect([code, UUID.test(stdout)]).toEqual([0, true]);
    const events = stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    expect(events).toMatchObject([
      { type: "login.started", provider: "test" },
      { type: "interaction.required", provider: "test", field: "otp" },
      { type: "login.finished", provider: "test", code: "logged_in", duration: expect.any(Number) },
    ]);
    // The digits of a code may occur in an id or a time by chance.
    const told = JSON.stringify(events, (name, value) => (/^(id|duration|expiresAt)$/.test(name) ? "" : value));
    expect(told).not.toMatch(/asdfg|8888|12345otp/);
  });

  test("never prompts, and says all that is missing", async () => {
    const ending = await run(["login", "canal_pa", "--json"]);
    expect(ending.code).toBe(3);
    const [line, ...more] = parseLines(ending);
    expect(more).toEqual([]);
    expect(line).toMatchObject({ status: "missing_field", missing: ["username", "password", "company_code"] });
    expect(ending.stderr).toContain("Give them with --credentials-from FILE");
  });

  test.each([
    [{ company_code: "7701", branch: "9" }, "branch"],
    [{ company_code: "7701", token: "135790" }, "token: is an answer: the bank asks for it after the login"],
  ])("sends no field that the bank does not ask at the first login: %j", async (fields, said) => {
    const bank = await watchedBank();
    const input = JSON.stringify({ username: "letters", password: "s3creto", fields });
    const words = ["login", "canal_pa", "--credentials-from", "-"];
    const { code, stderr } = await run(words, { input, environment: bank.environment });
    expect([code, stderr]).toEqual([4, expect.stringContaining(`[${said}]`)]);
    expect(bank.seen.filter(isLogin)).toEqual([]);
  });

  test("without a bank says that the bank is missing", async () => {
    const { code, stderr } = await run(["login"]);
    expect(code).toBe(3);
    expect(stderr).toContain("Missing, and this is no terminal to ask on: CODE.");
  });

  test("takes the password alone from standard input, and the user from the environment", async () => {
    const { code } = await run(["login", "test", "--password-stdin"], {
      input: "gfdsa\n",
      environment: { VENTANILLA_USERNAME: "12345" },
    });
    expect(code).toBe(0);
  });

  test("a question is answered by a program, run without a shell, that is told what is asked", async () => {
    const folder = await ownFolder();
    const program = join(folder, "otp.mjs");
    await writeFile(
      program,
      `import { readFileSync, writeFileSync } from "node:fs";
       const told = { words: process.argv.slice(2), input: readFileSync(0, "utf8") };
       for (const name of ["FIELD", "PROVIDER", "QUESTION", "ANSWERS_SENT", "API_KEY", "USERNAME"]) told[name] = process.env["VENTANILLA_" + name];
       writeFileSync(${JSON.stringify(join(folder, "told.json"))}, JSON.stringify(told));
       console.log(" 8888 ");`,
    );
    const command = `'${process.execPath}' ${program} {field} "at {provider}; echo $HOME"`;
    const words = ["login", "test", "--credentials-from", "-", "--answer-command", command];
    const bank = await watchedBank();
    const { code } = await run(words, { input: JSON.stringify(asksCode), environment: bank.environment });
    expect(code).toBe(0);
    expect(JSON.parse(await readFile(join(folder, "told.json"), "utf8"))).toEqual({
      words: ["otp", "at test; echo $HOME"],
      input: "OTP required\n",
      FIELD: "otp",
      PROVIDER: "test",
      QUESTION: "OTP required",
      ANSWERS_SENT: "0",
    });
  });

  test.each([
    ["false", "--answer-command: exit code 1"],
    ["/nonexistent/otp", "--answer-command: ENOENT"],
  ])("the answer command %s ends with handler_failed", async (command, said) => {
    const words = ["login", "test", "--credentials-from", "-", "--answer-command", command, "--answer-timeout", "60"];
    const { code, stderr } = await run(words, { input: JSON.stringify(asksCode) });
    expect([code, stderr]).toEqual([81, expect.stringContaining(said)]);
  });

  test("an answer command that takes too long is a fault where the question has more time, and else an expired login", async () => {
    const cwd = await ownFolder();
    const bank = await watchedBank();
    const environment = bank.sealingEnvironment;
    const words = ["login", "test", "--credentials-from", "-", "--pause-to", "paused"];
    expect((await run(words, { cwd, environment, input: JSON.stringify(asksCode) })).code).toBe(12);
    const slow = ["--answer-command", "sleep 30", "--answer-timeout", "0.2"];
    const { code, stderr } = await run(["login", "--resume", "paused", ...slow], { cwd, environment });
    expect([code, stderr]).toEqual([81, expect.stringContaining("--answer-command: took too long")]);
    const late = await run(["login", "test", "--credentials-from", "-", ...slow], { input: JSON.stringify(asksCode) });
    expect(late.code).toBe(41);
  });

  test("an answer command that writes too much is not waited for, nor what it has started", async () => {
    const words = ["login", "test", "--credentials-from", "-", "--answer-timeout", "300"];
    const script = "sleep 60 2>/dev/null & head -c 9000 /dev/zero; wait";
    const { code } = await run([...words, "--answer-command", `sh -c '${script}'`], {
      input: JSON.stringify(asksCode),
    });
    expect(code).toBe(81);
  });

  test("an answer command with nothing to say cancels", async () => {
    const words = ["login", "test", "--credentials-from", "-", "--answer-command", "true"];
    expect((await run(words, { input: JSON.stringify(asksCode) })).code).toBe(40);
  });

  test("answers that are stored are given once: asked again, they were wrong", async () => {
    const bank = await watchedBank();
    const input = JSON.stringify({ username: "otp", password: "s3creto", answers: { otp: "000000" } });
    const words = ["login", "quetzal_mx", "--credentials-from", "-", "--json", "--events"];
    const ending = await run(words, { input, environment: bank.environment });
    expect(ending.code).toBe(11);
    expect(parseLines(ending)).toMatchObject([
      { status: "interaction_required", field: "otp", number: 2, isRepeat: true, answersSent: 1 },
    ]);
    const events = ending.stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    expect(events.filter(({ type }) => type === "interaction.required")).toMatchObject([
      { number: 1, answersSent: 0 },
      { number: 2, answersSent: 1 },
    ]);
    expect(bank.seen.filter(isLogin).map(({ form }) => form.get("otp"))).toEqual([null, "000000"]);
  });

  test.each(["base32", "otpauth"])("one-time codes are made from a stored secret (%s)", async (kind) => {
    const totp = new TOTP({ issuer: "Bank", label: "me", secret: "JBSWY3DPEHPK3PXP" });
    const bank = await watchedBank();
    const input = JSON.stringify({ ...asksCode, totp: kind === "base32" ? totp.secret.base32 : totp.toString() });
    const before = totp.generate();
    const { code } = await run(["login", "test", "--credentials-from", "-"], { input, environment: bank.environment });
    expect(code).toBe(20);
    const sent = bank.seen.filter(isLogin).at(-1)?.form.get("otp");
    expect([before, totp.generate()]).toContain(sent);
  });

  test("a client is chosen by its id, and without one the login rests", async () => {
    const input = JSON.stringify({ username: "letters", password: "s3creto", fields: { company_code: "7701" } });
    const words = ["login", "canal_pa", "--credentials-from", "-"];
    const [resting, chosen] = [
      await run(words, { input }),
      await run([...words, "--client", "FIC-02412222"], { input }),
    ];
    expect([resting.code, chosen.code]).toEqual([10, 0]);
  });

  test("--replace-session closes the session that is in the way", async () => {
    const input = JSON.stringify({ username: "sessions", password: "s3creto" });
    const words = ["login", "faro_uy", "--credentials-from", "-"];
    const [kept, replaced] = [await run(words, { input }), await run([...words, "--replace-session"], { input })];
    expect([kept.code, replaced.code]).toEqual([24, 0]);
  });

  test("texts are in the person's language", async () => {
    const input = JSON.stringify({ username: "12345", password: "wrong" });
    const { stderr } = await run(["login", "test", "--credentials-from", "-", "--locale", "pt"], { input });
    expect(stderr).toContain("wrong_credentials: O usuário ou a senha não estão corretos.");
  });

  test("a bank's text can't drive the terminal", async () => {
    const bank = await watchedBank({
      answer: (seen) =>
        isLogin(seen)
          ? Response.json({
              status: "interaction_required",
              key: "k".repeat(32),
              field: "otp",
              context: "Code\u001B[2J\u0007\u001B]0;x\u0007!",
            })
          : undefined,
    });
    const { stderr } = await run(["login", "test", "--credentials-from", "-"], {
      input: plain,
      environment: bank.environment,
    });
    expect(stderr).toContain("(Code!)");
    expect(stderr).not.toContain("\u001B");
  });
});

describe("a session key", () => {
  test("goes to a file of mode 600, and from there to destinations and logout", async () => {
    const bank = await watchedBank();
    const cwd = await ownFolder();
    const options = { cwd, environment: bank.environment };
    // A file that others could read is replaced, not reused.
    await writeFile(join(cwd, "session.key"), "old", { mode: 0o644 });
    const login = ["login", "test", "--credentials-from", "-", "--key-to", "session.key"];
    expect((await run(login, { ...options, input: plain })).stdout).toBe("");
    expect((await stat(join(cwd, "session.key"))).mode & 0o777).toBe(0o600);

    const list = await run(["destinations", "--key-from", "session.key", "--json"], options);
    expect(parseLines(list)).toEqual([
      { id: 1, name: "Institución de prueba 1" },
      { id: 2, name: "Institución de prueba 2" },
    ]);
    expect((await run(["logout", "--key-from", "session.key"], options)).stdout).toBe("The session is closed.\n");
    expect((await run(["destinations", "--key-from", "session.key"], options)).code).toBe(35);
  });

  test.each(["--key-to", "--record", "--pause-to"])(
    "%s to where nothing can be written is said before anything is sent",
    async (option) => {
      const bank = await watchedBank();
      const environment = bank.sealingEnvironment;
      const words = ["login", "test", "--credentials-from", "-", option, "/nonexistent/file"];
      const { code, stderr } = await run(words, { input: plain, environment });
      expect([code, stderr]).toEqual([6, `file_unusable: A file can't be used. [${option}: ENOENT]\n`]);
      expect(bank.seen).toEqual([]);
    },
  );

  test("can be sealed, and opened with the same seal key only", async () => {
    const bank = await watchedBank();
    const environment = bank.sealingEnvironment;
    const login = await run(["login", "test", "--credentials-from", "-", "--print-key", "--seal"], {
      input: plain,
      environment,
    });
    const options = { input: login.stdout, environment };
    expect(login.stdout).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect((await run(["destinations", "--key-from", "-"], options)).code).toBe(0);
    const other = { ...environment, VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64") };
    expect((await run(["destinations", "--key-from", "-"], { ...options, environment: other })).code).toBe(87);
  });

  test("comes from the environment as well, and its absence is said", async () => {
    const { code, stderr } = await run(["logout"]);
    expect(code).toBe(3);
    expect(stderr).toContain("[--key-from: or VENTANILLA_SESSION_KEY]");
    expect((await run(["logout"], { environment: { VENTANILLA_SESSION_KEY: "unknown-key" } })).code).toBe(35);
  });
});

describe("a paused login", () => {
  test("goes on in another process, once", async () => {
    const bank = await watchedBank();
    const cwd = await ownFolder();
    const environment = bank.sealingEnvironment;
    const options = { cwd, environment };
    const paused = await run(["login", "test", "--credentials-from", "-", "--pause-to", "paused.login", "--json"], {
      ...options,
      input: JSON.stringify(asksCode),
    });
    expect(paused.code).toBe(12);
    expect(parseLines(paused)).toMatchObject([
      { status: "paused", provider: "test", field: "otp", context: "OTP required" },
    ]);
    const file = join(cwd, "paused.login");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).not.toMatch(/asdfg|12345otp/);

    // Nothing answers: the file is not used up.
    expect((await run(["login", "--resume", "paused.login"], options)).code).toBe(11);
    const answer = ["--answer-command", "echo 8888", "--print-key"];
    const token = await readFile(file);
    expect(await run(["login", "--resume", "paused.login", ...answer], options)).toMatchObject({
      stdout: expect.stringMatching(UUID),
      stderr: expect.not.stringContaining("claimStore"),
    });
    expect(bank.seen.filter(isLogin).map(({ form }) => form.get("otp"))).toEqual([null, "8888"]);
    expect((await run(["login", "--resume", "paused.login", ...answer], options)).code).toBe(6);

    await writeFile(file, token.fill("A", 200, 210));
    expect((await run(["login", "--resume", "paused.login", ...answer], options)).code).toBe(84);
  });

  test("paused once more, is in one file alone", async () => {
    const bank = await watchedBank();
    const cwd = await ownFolder();
    const environment = bank.sealingEnvironment;
    const options = { cwd, environment };
    const input = JSON.stringify(asksCode);
    await run(["login", "test", "--credentials-from", "-", "--pause-to", "one"], { ...options, input });
    expect((await run(["login", "--resume", "one", "--pause-to", "two"], options)).code).toBe(12);
    expect((await run(["login", "--resume", "one"], options)).code).toBe(6);
    expect((await run(["login", "--resume", "two", "--pause-to", "two"], options)).code).toBe(12);
    expect((await run(["login", "--resume", "two", "--answer-command", "echo 8888"], options)).code).toBe(0);
  });

  test("waits for a choice of client too, which the command that goes on makes", async () => {
    const bank = await watchedBank();
    const cwd = await ownFolder();
    const environment = bank.sealingEnvironment;
    const options = { cwd, environment };
    const input = JSON.stringify({ username: "letters", password: "s3creto", fields: { company_code: "7701" } });
    const paused = await run(["login", "canal_pa", "--credentials-from", "-", "--pause-to", "one", "--json"], {
      ...options,
      input,
    });
    expect([paused.code, parseLines(paused)]).toMatchObject([12, [{ status: "paused", provider: "canal_pa" }]]);
    expect(parseLines(paused)[0]?.["clients"]).toContainEqual({ id: "FIC-02412222", name: expect.any(String) });

    // Nobody chooses: the file is not used up.
    const resting = await run(["login", "--resume", "one"], options);
    expect([resting.code, resting.stderr]).toEqual([10, expect.stringContaining("Give one with --client.")]);
    expect((await run(["login", "--resume", "one", "--pause-to", "two"], options)).code).toBe(12);
    const chosen = await run(["login", "--resume", "two", "--client", "FIC-02412222", "--print-key"], options);
    expect([chosen.code, chosen.stdout]).toEqual([0, expect.stringMatching(UUID)]);
    expect((await run(["login", "--resume", "two", "--client", "FIC-02412222"], options)).code).toBe(6);
    expect(bank.seen.filter(isLogin)).toHaveLength(1);
  });

  test("answered, and paused once more at the choice of client, is in the new file", async () => {
    const bank = await watchedBank();
    const cwd = await ownFolder();
    const environment = bank.sealingEnvironment;
    const options = { cwd, environment };
    const input = JSON.stringify({ username: "group", password: "s3creto", fields: { type: "corp" } });
    await run(["login", "ceibo_ar", "--credentials-from", "-", "--pause-to", "one"], { ...options, input });
    const answer = ["--answer-command", "echo 246802"];
    expect((await run(["login", "--resume", "one", "--pause-to", "two", ...answer], options)).code).toBe(12);
    expect((await run(["login", "--resume", "two", "--client", "1"], options)).code).toBe(0);
    expect(bank.seen.filter(({ path }) => path.startsWith("/client/1/"))).toHaveLength(1);
  });

  test.each([
    [["--resume", "-"], "--resume: must be a file, which is used up"],
    [["--resume", "paused.login", "--replace-session"], "--replace-session: goes with the command that pauses"],
  ])("is not taken up with %j", async (words, said) => {
    const bank = await watchedBank();
    const environment = bank.sealingEnvironment;
    const { code, stderr } = await run(["login", ...words], { environment, input: "token" });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`[${said}]`)]);
  });

  test("needs a service that outlives the command", async () => {
    const environment = { VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64") };
    const { code, stderr } = await run(["login", "test", "--pause-to", "x"], { environment });
    expect(code).toBe(2);
    expect(stderr).toContain("[--pause-to: the embedded sandbox ends with this command");
  });

  test("needs a key to seal with, before anything is sent", async () => {
    const bank = await watchedBank();
    const words = ["login", "test", "--credentials-from", "-", "--pause-to", "x"];
    const { code, stderr } = await run(words, { input: plain, environment: bank.environment });
    expect(code).toBe(3);
    expect(stderr).toContain("[--seal-key-from: or VENTANILLA_SEAL_KEY]");
    expect(bank.seen).toEqual([]);
  });
});
