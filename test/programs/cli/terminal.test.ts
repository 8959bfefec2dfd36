import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { promised } from "../../bank/service.ts";
import { hold, type Interference, isLogin, watchedBank } from "../../bank/watched-bank.ts";
import { KEY } from "../../core/pause/paused.ts";
import { openBatch } from "./open-batch.ts";
import { ownFolder } from "./program.ts";
import { openTerminal, openTerminalHere, type Terminal } from "./terminal.ts";

/** `login` at a bank that listens, in a real terminal. */
async function openLogin(words: readonly string[], respond?: Interference) {
  const bank = await watchedBank(respond);
  return { bank, terminal: await openTerminal(["login", ...words], bank.environment) };
}

/** The same in this process, for what is asked, said and sent. */
async function openLoginHere(words: readonly string[]) {
  const bank = await watchedBank();
  return { bank, terminal: await openTerminalHere(["login", ...words], bank.environment) };
}

const COLOUR = new RegExp(`${"\u001B"}\\[(3[1-7]|1)m`);

const chooseBank = async (terminal: Terminal, name: string) => {
  await terminal.shows("Which bank?");
  terminal.type(name);
  await terminal.shows(new RegExp(name, "i"));
  terminal.press("Enter");
};

describe("login in a terminal", () => {
  test("asks for bank, fields and answer; hidden values are not echoed", async () => {
    const { bank, terminal } = await openLogin(["--key-to", "session.key"]);
    await chooseBank(terminal, "faro");
    await terminal.fillIn("otp", "s3creto");
    await terminal.enter("One-time code", "135790");
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain("logged_in: You are logged in.");
    expect(terminal.written()).not.toContain("s3creto");
    expect(terminal.written()).toMatch(COLOUR);
    const credentials = { provider: "faro_uy", username: "otp", password: "s3creto" };
    const forms = bank.requests.filter(isLogin).map(({ form }) => form);
    expect(forms).toEqual([credentials, { ...credentials, otp: "135790" }]);
    expect(await readFile(join(terminal.folder, "session.key"), "utf8")).toMatch(/^[\da-f-]{36}\n$/);
  });

  test("shows the users of the chosen bank for the embedded sandbox, and none for a service", async () => {
    const terminal = await openTerminalHere(["login", "bcp_pers_pe_mock"]);
    await terminal.shows(/The sandbox has these users for this bank:\s+user name 12345, password asdfg\s.*User name/s);
    expect(terminal.screen()).toContain("answer to token: 123456");
    expect(terminal.screen()).not.toContain("gfdsa");
    const { terminal: other } = await openLoginHere(["bcp_pers_pe_mock"]);
    expect(await other.shows("User name")).not.toContain("asdfg");
  });

  test.each([
    ["can be typed again, and are sent once", "y", 0, ["guess", "gfdsa"]],
    ["end with their exit code after a no", "n", 3, ["guess"]],
  ])("wrong credentials %s", async (_, key, code, sent) => {
    const { bank, terminal } = await openLoginHere(["test"]);
    await terminal.fillIn("12345", "guess");
    await terminal.shows("Try again?");
    terminal.type(key);
    // Enter keeps the user name.
    if (code === 0) await terminal.enter("User name (leave empty to keep it)", "");
    if (code === 0) await terminal.enter("Password", "gfdsa");
    expect(await terminal.ended).toBe(code);
    expect(bank.sent("password")).toEqual(sent);
    expect(bank.sent("username")).toEqual(sent.map(() => "12345"));
  });

  test("a form that the bank has refused before is sent if the person types it once more", async () => {
    const bank = await watchedBank();
    const refusals = `folder:${join(await ownFolder(), "refusals")}`;
    const environment = { ...bank.environment, VENTANILLA_SEAL_KEY: KEY, VENTANILLA_REFUSALS: refusals };
    const first = await openTerminalHere(["login", "test"], environment);
    await first.fillIn("12345", "guess");
    await first.shows("Try again?");
    first.type("n");
    expect(await first.ended).toBe(3);
    const second = await openTerminalHere(["login", "test"], environment);
    await second.fillIn("12345", "guess");
    // Nothing was sent: the person decides.
    await second.shows("Try again?");
    expect(bank.sent("password")).toEqual(["guess"]);
    second.type("y");
    await second.enter("User name (leave empty to keep it)", "");
    await second.enter("Password", "guess");
    await second.shows(/Try again\?.*Try again\?/s);
    expect(bank.sent("password")).toEqual(["guess", "guess"]);
    second.type("n");
    expect(await second.ended).toBe(3);
  });

  test("a user name that was wrong can be typed again", async () => {
    const { bank, terminal } = await openLoginHere(["test"]);
    await terminal.fillIn("54321", "gfdsa");
    await terminal.shows("Try again?");
    terminal.type("y");
    await terminal.enter("User name (leave empty to keep it)", "12345");
    await terminal.enter("Password", "gfdsa");
    expect(await terminal.ended).toBe(0);
    expect(bank.sent("username")).toEqual(["54321", "12345"]);
  });

  test.each([
    ["es_ES.UTF-8", "¿Qué banco?", "Buscar:", "No se encontró nada.", "escriba para buscar", "Usuario", "Contraseña"],
    ["pt_BR.UTF-8", "Qual banco?", "Buscar:", "Nada encontrado.", "digite para buscar", "Usuário", "Senha"],
  ])("speaks one language with LANG=%s", async (LANG, which, search, none, keys, username, password) => {
    const terminal = await openTerminalHere(["login"], { LANG });
    await terminal.shows(which);
    expect(await terminal.shows(search)).toContain(keys);
    terminal.type("faro");
    await terminal.shows(/\(1\).*● /s);
    terminal.press("Enter");
    await terminal.enter(username, "12345");
    await terminal.shows(`◆  ${password}`);
    terminal.press("Ctrl-C");
    await terminal.ended;
    const other = await openTerminalHere(["login"], { LANG });
    await other.shows(search);
    other.type("zzzz");
    await other.shows(none);
    // Nothing is chosen: the search goes on.
    other.press("Enter");
    other.type("\u007F\u007F\u007F\u007Ffaro");
    await other.shows(/: faro█ \(1\).*● /s);
    // The texts of clack, and how the accounts of the sandbox are described.
    expect(terminal.screen()).not.toMatch(/search:|match|to select|confirm\b|type:|found|logs in|asks|at once/i);
  });

  test("a yes or a no is asked for in the person's language", async () => {
    const { terminal } = await openLoginHere(["test", "--locale", "es"]);
    await terminal.enter("Usuario", "12345");
    await terminal.enter("Contraseña", "guess");
    await terminal.shows(/¿Intentar de nuevo\?.*● Sí \/ ○ No/s);
    terminal.type("n");
    expect(await terminal.ended).toBe(3);
  });

  test("says above the prompt that the bank asks again, and asks once more for the same answer", async () => {
    const { bank, terminal } = await openLoginHere(["quetzal_mx"]);
    await terminal.fillIn("otp", "s3creto");
    expect(await terminal.shows("One-time code")).not.toContain("The bank is asking again");
    await terminal.enter("One-time code", "000000");
    await terminal.shows(/The bank is asking again: .*Tries so far: 1\./s);
    await terminal.enter("One-time code", "000000");
    await terminal.shows(/The bank asked again after this same answer, so it was not sent a\s+second time\./);
    await terminal.enter("One-time code", "975310");
    expect(await terminal.ended).toBe(0);
    expect(bank.sent("otp")).toEqual([undefined, "000000", "975310"]);
  });

  test("shows the code of a pasted message before it is sent", async () => {
    const { bank, terminal } = await openLoginHere(["quetzal_mx"]);
    await terminal.fillIn("otp", "s3creto");
    await terminal.enter("One-time code", "Your code is 975310. Do not share it.");
    await terminal.shows(/Type the code alone, without the rest of the message\..*One-time code\s+\S*\s*975310/s);
    terminal.press("Enter");
    expect(await terminal.ended).toBe(0);
    expect(bank.sent("otp")).toEqual([undefined, "975310"]);
  });

  test("offers the choices of a field and the clients to choose from", async () => {
    const { bank, terminal } = await openLoginHere(["ceibo_ar", "--locale", "es"]);
    await terminal.enter("Usuario", "group");
    await terminal.enter("Contraseña", "s3creto");
    await terminal.shows("Empresa");
    terminal.press("Down", "Enter");
    expect(await terminal.shows("◆  Token")).toContain("Ingrese su token");
    await terminal.enter("Token", "246802");
    await terminal.shows("¿En nombre de quién quiere ingresar?");
    terminal.press("Down", "Enter");
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain("logged_in: Listo, ya ingresó.");
    expect(bank.requests.filter(({ url }) => url.startsWith("/client/1/"))).toHaveLength(1);
    expect(bank.sent("type")[0]).toBe("corp");
  });

  test("shows a spinner with the elapsed time, and Ctrl-C aborts the request: the bank sees it", async () => {
    const { bank, terminal } = await openLogin(["test"], hold);
    const reached = bank.nextLogin();
    await terminal.fillIn("12345", "gfdsa");
    const { abandoned } = await reached;
    await terminal.shows(/[◒◐◓◑] {2}Waiting for the bank {2}1 s/);
    terminal.press("Ctrl-C");
    await abandoned;
    expect(await terminal.ended).toBe(130);
    expect(terminal.screen()).toMatch(/The login was cancelled\..*may have reached the bank/s);
  });

  test.each([
    ["SIGHUP", 129],
    ["Ctrl-D", 130],
  ] as const)("%s at a prompt cancels the login, as Ctrl-C does", async (name, code) => {
    const { bank, terminal } = await openLogin(["test"]);
    await terminal.shows("User name");
    if (name === "Ctrl-D") terminal.press(name);
    else terminal.signal(name);
    expect(await terminal.ended).toBe(code);
    expect(terminal.screen()).toContain("cancelled: The login was cancelled.");
    expect(bank.sent("username")).toEqual([]);
  });

  test("goes on with its prompt after Ctrl-Z and fg", async () => {
    const { bank, terminal } = await openLogin(["test"]);
    await terminal.shows("◆  User name");
    // No shell is there to stop it, so it runs on, in line mode.
    terminal.type("\u001A1234");
    await terminal.shows("1234");
    terminal.signal("SIGCONT");
    terminal.type("5");
    // The prompt draws its cursor only once it reads keys again.
    await terminal.shows("12345█");
    terminal.press("Enter");
    await terminal.enter("Password", "gfdsa");
    expect(await terminal.ended).toBe(0);
    expect(bank.sent("username")).toEqual(["12345"]);
  });

  test("closes the prompt of a question that expires", async () => {
    const { terminal } = await openLoginHere(["test", "--answer-timeout", "1"]);
    await terminal.fillIn("12345otp", "asdfg");
    expect(await terminal.ended).toBe(4);
  });
});

test.each([
  ["shows a bar, the rate, the time left and counts by outcome", 100, " {2}logged_in 1 {2}wrong_credentials 1$"],
  ["keeps the rate and the time left if it is narrow", 60, ""],
])("a batch in a terminal %s", async (_, cols, counts) => {
  const { promise, keep } = promised<undefined>();
  let logins = 0;
  const users = ["12345", "nobody", "12345", "nobody", "12345"];
  const lines = users.map((username, index) => ({ id: `${index}`, provider: "test", username, password: "gfdsa" }));
  const { bank, cwd } = await openBatch(lines, (request) => {
    if (isLogin(request)) logins += 1;
    return logins === 3 ? promise : undefined;
  });
  const files = [join(cwd, "logins.jsonl"), "--out", join(cwd, "results.jsonl")];
  const terminal = await openTerminalHere(["batch", ...files, "--concurrency", "1"], bank.environment, cols);
  await terminal.shows(new RegExp(`█{10}░{14} 2/5 {2}[\\d.]+/s {2}\\d+ s left${counts}`, "m"));
  keep(undefined);
  expect(await terminal.ended).toBe(8);
  expect(terminal.screen()).toContain("5/5  logged_in 3  wrong_credentials 2");
});

test("colours are shown on a terminal, and left out with NO_COLOR, at a prompt too", async () => {
  for (const environment of [{}, { NO_COLOR: "1" }]) {
    const fields = await openTerminalHere(["fields", "test"], environment);
    await fields.ended;
    expect(COLOUR.test(fields.written())).toBe(!("NO_COLOR" in environment));
  }
  // That a prompt has them is above.
  const prompt = await openTerminal(["login", "test"], { NO_COLOR: "1" });
  await prompt.shows("User name");
  expect(prompt.written()).not.toMatch(COLOUR);
});
