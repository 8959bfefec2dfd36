import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isLogin, watchedBank } from "./bank.ts";
import { ownFolder, plainUser, run, runLogin } from "./program.ts";
import { openTerminal } from "./terminal.ts";

describe("login in a terminal", () => {
  test("guides through bank, fields and question; what is hidden is not echoed", async () => {
    const bank = await watchedBank();
    const terminal = await openTerminal(["login", "--key-to", "session.key"], bank.environment);
    await terminal.shows("Which bank?");
    terminal.type("faro");
    await terminal.shows(/Faro/);
    terminal.press("Enter");
    await terminal.enter("User name", "otp");
    await terminal.enter("Password", "s3creto");
    await terminal.enter("One-time code", "135790");
    expect(await terminal.ended).toBe(0);
    const screen = terminal.screen();
    expect(screen).toContain("logged_in: You are logged in.");
    expect(terminal.written()).not.toContain("s3creto");
    expect(bank.seen.filter(isLogin).map(({ form }) => Object.fromEntries(form))).toEqual([
      { provider: "faro_uy", username: "otp", password: "s3creto" },
      { provider: "faro_uy", username: "otp", password: "s3creto", otp: "135790" },
    ]);
    expect(await readFile(join(terminal.folder, "session.key"), "utf8")).toMatch(/^[\da-f-]{36}\n$/);
  });

  test("the embedded sandbox offers its users of the chosen bank, a service has none to offer", async () => {
    const terminal = await openTerminal(["login", "bcp_pers_pe_mock"]);
    await terminal.shows(/The sandbox has these users for this bank:\s+user 12345, password asdfg\s.*User name/s);
    await terminal.enter("User name", "12345");
    await terminal.enter("Password", "asdfg");
    await terminal.enter("Token", "123456");
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain("answer to token: 123456");
    expect(terminal.screen()).not.toContain("gfdsa");

    const bank = await watchedBank();
    const other = await openTerminal(["login", "bcp_pers_pe_mock"], bank.environment);
    expect(await other.shows("User name")).not.toContain("asdfg");
    other.press("Ctrl-C");
    await other.ended;
  });

  test("wrong credentials offer another try: what is typed anew is sent, once", async () => {
    const bank = await watchedBank();
    const terminal = await openTerminal(["login", "test"], bank.environment);
    await terminal.enter("User name", "12345");
    await terminal.enter("Password", "guess");
    await terminal.shows("Try again?");
    terminal.press("Enter");
    await terminal.enter("User name", "12345");
    await terminal.enter("Password", "gfdsa");
    expect(await terminal.ended).toBe(0);
    expect(bank.seen.filter(isLogin).map(({ form }) => form.get("password"))).toEqual(["guess", "gfdsa"]);
  });

  test("wrong credentials that are not tried again end with their exit code", async () => {
    const bank = await watchedBank();
    const terminal = await openTerminal(["login", "test"], bank.environment);
    await terminal.enter("User name", "12345");
    await terminal.enter("Password", "guess");
    await terminal.shows("Try again?");
    terminal.type("n");
    expect(await terminal.ended).toBe(20);
    expect(bank.seen.filter(isLogin)).toHaveLength(1);
  });

  test("a code that is asked again says so above its prompt, and how many were sent", async () => {
    const bank = await watchedBank();
    const terminal = await openTerminal(["login", "quetzal_mx"], bank.environment);
    await terminal.enter("User name", "otp");
    await terminal.enter("Password", "s3creto");
    await terminal.shows("One-time code");
    expect(terminal.screen()).not.toContain("The bank asks again");
    await terminal.enter("One-time code", "000000");
    await terminal.shows(/The bank asks again: .*Answers sent: 1\./s);
    await terminal.enter("One-time code", "975310");
    expect(await terminal.ended).toBe(0);
    expect(bank.seen.filter(isLogin).map(({ form }) => form.get("otp"))).toEqual([null, "000000", "975310"]);
  });

  test("offers the choices of a field and the clients to choose from", async () => {
    const bank = await watchedBank();
    const terminal = await openTerminal(["login", "ceibo_ar", "--locale", "es"], bank.environment);
    await terminal.enter("Usuario", "group");
    await terminal.enter("Contraseña", "s3creto");
    await terminal.shows("Empresa");
    terminal.press("Down", "Enter");
    expect(await terminal.shows("◆  Token")).toContain("Ingrese su token");
    await terminal.enter("Token", "246802");
    await terminal.shows("¿Qué cliente?");
    terminal.press("Down", "Enter");
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain("logged_in: Ingreso completado.");
    expect(bank.seen.filter(({ path }) => path.startsWith("/client/1/"))).toHaveLength(1);
    expect(bank.seen.find(isLogin)?.form.get("type")).toBe("corp");
  });

  test("shows a spinner with the elapsed time, and Ctrl-C aborts the request: the bank sees it", async () => {
    const bank = await watchedBank({ respond: (seen) => (isLogin(seen) ? "held" : undefined) });
    const terminal = await openTerminal(["login", "test"], bank.environment);
    await terminal.enter("User name", "12345");
    await terminal.shows("Password");
    const reached = bank.next(isLogin);
    terminal.type("gfdsa");
    terminal.press("Enter");
    const login = await reached;
    await terminal.shows(/[◒◐◓◑] {2}Waiting for the bank {2}1 s/);
    terminal.press("Ctrl-C");
    await login.aborted;
    expect(await terminal.ended).toBe(130);
    const screen = terminal.screen();
    expect(screen).toContain("Interrupted. What was under way was stopped; the bank may have received it.");
    expect(screen).not.toContain("gfdsa");
  });

  test("Ctrl-C at the bank's question ends with 130, and nothing more is sent", async () => {
    const bank = await watchedBank();
    const terminal = await openTerminal(["login", "test"], bank.environment);
    await terminal.enter("User name", "12345otp");
    await terminal.enter("Password", "asdfg");
    await terminal.shows("OTP required");
    terminal.press("Ctrl-C");
    expect(await terminal.ended).toBe(130);
    expect(bank.seen.filter(isLogin)).toHaveLength(1);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s at a prompt is a cancelled login, as Ctrl-C is", async (name, code) => {
    const bank = await watchedBank();
    const terminal = await openTerminal(["login", "test"], bank.environment);
    await terminal.shows("User name");
    terminal.signal(name);
    expect(await terminal.ended).toBe(code);
    const screen = terminal.screen();
    expect(screen).toContain("cancelled: The login was cancelled.");
    expect(screen).not.toContain("unexpected_fault");
    expect(bank.seen.filter(isLogin)).toEqual([]);
  });

  test("a question whose time runs out closes its prompt", async () => {
    const bank = await watchedBank();
    const terminal = await openTerminal(["login", "test", "--answer-timeout", "1"], bank.environment);
    await terminal.enter("User name", "12345otp");
    await terminal.enter("Password", "asdfg");
    expect(await terminal.ended).toBe(41);
  });
});

describe("destinations with a session that has ended", () => {
  const ended = "0d4f7f0e-5a0c-4d4f-8e53-4a7b1f1f0000";

  /** The command with the key of a session that the bank knows nothing of. */
  const begin = async (words: readonly string[] = []) => {
    const bank = await watchedBank();
    const file = join(await ownFolder(), "session.key");
    await writeFile(file, `${ended}\n`, { mode: 0o600 });
    const environment = { ...bank.environment, VENTANILLA_USERNAME: "12345" };
    const terminal = await openTerminal(["destinations", "--key-from", file, ...words], environment);
    return { bank, terminal, file };
  };
  test("offers to log in again, lists, and leaves the new key in the file of the old one", async () => {
    const { bank, terminal, file } = await begin();
    await terminal.shows(/The session is not known or has expired.*Log in again\?/s);
    terminal.press("Enter");
    await terminal.shows("Which bank?");
    terminal.type("prueba");
    terminal.press("Enter");
    await terminal.enter("Password", "gfdsa");
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toMatch(/ {3}1 {2}\w+/);
    expect(bank.seen.map(({ method, path }) => `${method} ${path.split("?")[0]}`)).toEqual([
      "GET /transfer/destinations",
      "GET /provider/",
      "GET /provider/test/",
      "POST /login/",
      "GET /transfer/destinations",
    ]);
    const kept = await readFile(file, "utf8");
    expect(kept).toMatch(/^[\da-f-]{36}\n$/);
    expect(kept).not.toContain(ended);
  });

  test("leaves a sealed key sealed", async () => {
    const bank = await watchedBank();
    const environment = bank.sealingEnvironment;
    const file = join(await ownFolder(), "session.key");
    await runLogin("test", plainUser, ["--key-to", file, "--seal"], { environment });
    await run(["logout", "--key-from", file], { environment });
    const before = await readFile(file, "utf8");
    const terminal = await openTerminal(["destinations", "--key-from", file], environment);
    await terminal.shows("Log in again?");
    terminal.press("Enter");
    await terminal.shows("Which bank?");
    terminal.type("prueba");
    terminal.press("Enter");
    await terminal.enter("User name", "12345");
    await terminal.enter("Password", "gfdsa");
    expect(await terminal.ended).toBe(0);
    const kept = await readFile(file, "utf8");
    expect(kept).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(kept).not.toBe(before);
  });

  test.each([
    ["is declined", [], true],
    ["is not made with --json", ["--json"], false],
  ] as const)("ends with its exit code when the offer %s", async (_, words, isOffered) => {
    const { bank, terminal, file } = await begin(words);
    if (isOffered) {
      await terminal.shows("Log in again?");
      terminal.type("n");
    }
    expect(await terminal.ended).toBe(35);
    expect(bank.seen.filter(isLogin)).toEqual([]);
    expect(await readFile(file, "utf8")).toBe(`${ended}\n`);
  });
});

test("a batch in a terminal shows a bar, counts by outcome and the time left", async () => {
  let goOn = () => {};
  const isShown = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const bank = await watchedBank({ before: async (number) => (number === 3 ? isShown : undefined) });
  const folder = await ownFolder();
  const lines = ["12345", "nobody", "12345", "nobody", "12345"].map((username, index) =>
    JSON.stringify({ id: `${index}`, provider: "test", username, password: "gfdsa" }),
  );
  await writeFile(join(folder, "logins.jsonl"), lines.join("\n"), { mode: 0o600 });
  const [logins, out] = [join(folder, "logins.jsonl"), join(folder, "results.jsonl")];
  const terminal = await openTerminal(["batch", logins, "--out", out, "--concurrency", "1"], bank.environment);
  await terminal.shows(/█{10}░{14} 2\/5 {2}logged_in 1 {2}wrong_credentials 1 {2}\d+ s left/);
  goOn();
  expect(await terminal.ended).toBe(8);
  expect(terminal.screen()).toContain("5/5  logged_in 3  wrong_credentials 2");
});

test("colours are shown on a terminal, and left out with NO_COLOR, at a prompt too", async () => {
  const colour = new RegExp(`${"\u001B"}\\[(3[1-7]|1)m`);
  for (const isColoured of [true, false]) {
    const environment: Record<string, string> = isColoured ? {} : { NO_COLOR: "1" };
    const fields = await openTerminal(["fields", "test"], environment);
    await fields.ended;
    expect(colour.test(fields.written())).toBe(isColoured);
    const prompt = await openTerminal(["login", "test"], environment);
    await prompt.shows("User name");
    expect(colour.test(prompt.written())).toBe(isColoured);
  }
});
