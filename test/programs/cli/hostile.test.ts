import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../../src/programs/cli/run.ts";
import { watchedBank } from "../../bank/watched-bank.ts";
import { ownFolder, parseLines, plainUser, type Result, run } from "./program.ts";
import { openTerminalHere } from "./terminal.ts";

/** What a service may put into a text, and no terminal may get. */
const hostileTexts = {
  "writes the clipboard (OSC 52)": "\u001B]52;c;ZXZpbA==\u0007",
  "sets the title": "\u001B]0;title\u001B\\",
  "has no end": "\u001B]0;title",
  "makes a link": "\u001B]8;;https://bank.invalid\u001B\\here\u001B]8;;\u001B\\",
  "colours the rest": "\u001B[95;5m",
  "clears the screen": "\u001B[2J\u001B[3J\u001B[H",
  "asks the terminal, which types the answer": '\u001B[6n\u001B[c\u001BP$q"p\u001B\\',
  "resets the terminal": "\u001Bc\u001B(0",
  "does the same in C1": "\u009B95m\u009D0;title\u009C\u0090$q\u009C\u0085",
  "breaks lines": "\r\nforged: You are logged in.\nforged\v\f",
  "breaks lines in Unicode": "\u2028forged\u2029forged",
  "takes signs back": "\b\b\u007F\u0000\u0007",
  "turns the direction": "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C",
  "has no width": "\u200B\u200C\u200D\uFEFF\u2060\u2061\u00AD\u180E\u3164",
  "has tags": "\u{E0001}\u{E0065}\u{E007F}\u{E0000}",
  "has halves of a character": "\uD800 \uDC00",
} as const;

/** All of them in one. */
const hostile = `Banco ${Object.values(hostileTexts).join(" y ")} Norte`;

/** By hand, by code point: what must not stand in what a terminal is sent. The end of a line is ours. */
const forbidden: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe0fff],
];

/** The code points of a text that a terminal must not get. */
function forbiddenIn(text: string): string[] {
  const points = Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
  return points
    .filter((point) => forbidden.some(([first, last]) => point >= first && point <= last))
    .map((point) => `U+${point.toString(16).toUpperCase()}`);
}

const KEY = "k".repeat(32);
// As long as one may be.
const id = hostile.slice(0, 190);
const line = JSON.stringify({ id, provider: "test", ...plainUser });

const field = { label_en: hostile, label_es: hostile, default: hostile, optional: true, interactive: false };
const provider = {
  name: hostile,
  country: hostile,
  logo: hostile,
  account_type: [{ name: hostile, label_en: hostile, label_es: hostile }],
  auth_fields: [
    // A name with half a character is refused: it could not be sent unchanged.
    { ...field, name: hostile.replaceAll(/\p{Cs}/gu, ""), type: hostile },
    { ...field, name: "branch", type: "text" },
    { ...field, name: "kind", type: "choice", choices: [{ name: "1", label_en: hostile, label_es: hostile }] },
    // A code begins empty: with a word before it, it would be a message.
    { ...field, name: "otp", type: "text", interactive: true, default: "" },
  ],
};

/** A bank that puts these texts into every member that is a text. Its login ends as asked. */
const hostileBank = (login: object) =>
  watchedBank(({ method, url, form }) => {
    if (method === "POST") return { json: form["otp"] ? { status: "logged_in", key: hostile } : login };
    const [, place = ""] = url.split("/");
    const banks = [hostile, "test"].map((code) => ({ code, country: hostile, name: hostile }));
    const members = {
      provider: url === "/provider/" ? { providers: banks } : { provider },
      client: { clients: { [hostile]: hostile } },
      transfer: { destinations: [{ id: 1, name: hostile }] },
    };
    return { json: place === "logout" ? { status: hostile } : { status: "success", ...members[place as "client"] } };
  });

const said = { status: hostile, message: hostile, code: hostile, context: hostile, field: hostile };
// A text that repeats its key would be cleared.
const question = { ...said, status: "interaction_required", key: KEY };
const session = ["--key-from", "session.key"];
const script = ["login", "test", "--credentials-from", "login.json"];

interface Row {
  readonly words: readonly string[];
  /** How the bank ends a login. */
  readonly login?: object;
  /** Who sees a text of the bank: people, and programs with `--json`. */
  readonly shows: "both" | "programs" | "no one";
}

/** Each command that speaks to a bank. */
const rows: readonly Row[] = [
  { words: ["providers"], shows: "both" },
  { words: ["fields", "test"], shows: "both" },
  { words: ["destinations", ...session], shows: "both" },
  { words: ["logout", ...session], shows: "no one" },
  { words: [...script, "--print-key"], login: { ...said, status: "logged_in", key: hostile }, shows: "both" },
  { words: [...script, "--events"], login: { ...question, field: "otp" }, shows: "both" },
  { words: [...script, "--print-key"], login: { ...said, status: "select_client", key: hostile }, shows: "both" },
  { words: script, login: { ...said, status: "wrong_credentials" }, shows: "no one" },
  { words: script, login: said, shows: "no one" },
  { words: ["batch", "logins.jsonl", "--out", "results.jsonl"], shows: "programs" },
];

/** The commands that show no text of a bank. The page of `link` and `serve` shows them, and `link` prints its key as `login` does. */
const others = ["link", "serve", "mcp", "view", "sandbox", "play", "diagram", "completion"];

async function runRow({ words, login = question }: Row, more: readonly string[] = []): Promise<Result> {
  const [bank, cwd] = await Promise.all([hostileBank(login), ownFolder()]);
  const files = { "login.json": JSON.stringify(plainUser), "session.key": KEY, "logins.jsonl": line };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text, { mode: 0o600 });
  return run([...words, ...more], { cwd, environment: bank.environment });
}

const stringsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)])
    : [];
};

const table = rows.map((row) => [row.words.join(" "), row] as const);

describe("no text of a bank controls the terminal", () => {
  test("every command has a row, or shows no text of a bank", () => {
    expect(new Set([...rows.map(({ words }) => words[0]), ...others])).toEqual(new Set(Object.keys(commands)));
  });

  test.each(table)("%s", async (_, row) => {
    const { stdout, stderr } = await runRow(row);
    expect(forbiddenIn(stdout + stderr)).toEqual([]);
    expect(stdout + stderr).not.toMatch(/^forged/m);
    if (row.shows === "both") expect(stdout + stderr).toContain("Norte");
  });

  const telling = table.filter(([, { shows }]) => shows !== "no one");
  test.each(telling)("%s --json prints each value unchanged", async (_, row) => {
    const result = await runRow(row, ["--json"]);
    expect(forbiddenIn(result.stdout + result.stderr)).toEqual([]);
    expect(stringsIn(parseLines(result.stdout)).some((text) => text === hostile || text === id)).toBe(true);
  });
});

test("no text of a bank controls the terminal at a prompt: a choice, a label, a default, a question", async () => {
  const bank = await hostileBank({ ...question, field: "otp" });
  const terminal = await openTerminalHere(["login"], bank.environment);
  // The list, the user, the password, three fields of the bank's with their defaults, the answer.
  const typed = [undefined, "12345", "gfdsa", "", "", "", "8888"];
  for (const [number, text] of typed.entries()) {
    await expect.poll(() => terminal.screen().split("◇").length - 1).toBe(number);
    await terminal.shows("◆");
    if (text === undefined) terminal.press("Down", "Enter");
    else terminal.type(`${text}\r`);
  }
  expect(await terminal.ended).toBe(0);
  expect(terminal.screen()).toContain("Norte");
  expect(forbiddenIn(terminal.screen())).toEqual([]);
  expect(terminal.written()).not.toMatch(/\[[\d;]*95[;m]/);
  // What was shown as a default is what was sent.
  expect(forbiddenIn(bank.sent("branch")[0] ?? "\0")).toEqual([]);
});

test("only the files of the terminal write to a stream, which makes each text printable", async () => {
  const folder = new URL("../../../src/programs/cli/", import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
  const writers: string[] = [];
  for (const name of files) {
    const text = await readFile(new URL(name, folder), "utf8");
    if (/\bconsole\.|\bstd(out|err)\.write\(|[sS]tream\.write\(/.test(text)) writers.push(name);
  }
  // The end of the output, an older Node, and the tour of the embedded sandbox.
  expect(writers).toEqual(["command-process.ts", "main.ts", "terminal/output.ts", "terminal/spinner.ts", "tour.ts"]);
});
