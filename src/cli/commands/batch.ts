import type * as v from "valibot";
import { InputError, reveal, type Secret } from "../../index.ts";
import { checkKeys } from "../../tokens/sealed-token.ts";
import { History, journalLine, keyLine, type ResultLine, resultLine } from "../batch/history.ts";
import { type BatchLogin, readBatch } from "../batch/input.ts";
import { LineFile } from "../batch/line-file.ts";
import { lock } from "../batch/lock.ts";
import { logInOnce } from "../batch/login.ts";
import { Progress } from "../batch/progress.ts";
import { runAll } from "../batch/schedule.ts";
import { commandOf } from "../command.ts";
import type { EndStatus } from "../exit-codes.ts";
import { answerCommand } from "../login/answer-command.ts";
import { readCredentialsText } from "../login/credentials-file.ts";
import { answerOptions, questionTimeout } from "../login/options.ts";
import { isSameFile, realPath } from "../settings/files.ts";
import { sealKeyOf, sealOptions, sealSession } from "../settings/session-key.ts";
import { commonOptions, type Given, numberOf, serviceOf, serviceOptions, textOf } from "../settings/settings.ts";

export const batch = commandOf({
  name: "batch",
  description: "Log in many users, and go on where it was stopped",
  options: {
    file: {
      type: "positional",
      description: "JSON lines: id, provider, username, password, and what else credentials have",
      required: true,
    },
    out: {
      type: "string",
      description: "File that the results are added to (required); beside it FILE.journal says what was begun",
      valueHint: "file",
    },
    concurrency: { type: "string", description: "Logins at a time", valueHint: "number", default: "8" },
    "per-provider": {
      type: "string",
      description: "Logins at a time at the same bank",
      valueHint: "number",
      default: "2",
    },
    "resend-unknown": {
      type: "boolean",
      description: "Send again what was begun and has no known end; the bank may have it already",
    },
    "force-lock": {
      type: "boolean",
      description: "Take the results from a batch on another host or in another container; make sure that it has ended",
    },
    "seal-keys": { type: "boolean", description: "Put the session keys into the results, sealed" },
    "keys-to": {
      type: "string",
      description: "Write the session keys, as they are, to a file of mode 600",
      valueHint: "file",
    },
    ...answerOptions,
    ...sealOptions,
    ...serviceOptions,
    ...commonOptions,
  },
  examples: [
    [
      "ventanilla batch logins.jsonl --out results.jsonl --concurrency 8",
      "the same line again goes on where it was stopped",
    ],
    [
      "ventanilla batch logins.jsonl --out results.jsonl \\\n  --answer-command 'otp {id} {field}' --seal-keys",
      "with one-time codes, keeping the keys sealed",
    ],
  ],
  run: ({ given, environment, signal }) => runBatch(given, environment, signal),
});

async function runBatch(given: Given, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<EndStatus> {
  const { client, output, nameHost, checkCredential } = await serviceOf(given, environment, signal);
  checkCredential("FILE");
  const path = textOf(given, "file") ?? "";
  const named = textOf(given, "out");
  if (named === undefined) throw new InputError("missing_field", { field: "--out" });
  const limits = { concurrency: whole(given, "concurrency"), perProvider: whole(given, "per-provider") };
  const command = textOf(given, "answer-command");
  // A command that can't be one is found before the first login, not after it.
  if (command !== undefined) answerCommand(command);
  const sealKey = given["seal-keys"] === true ? await sealKeyOf(given, environment) : undefined;
  if (sealKey) checkKeys(sealKey, "--seal-key-from");
  const keysTo = textOf(given, "keys-to");
  const logins = readBatch(await readCredentialsText("FILE", path, output));
  if (!sealKey && keysTo === undefined) output.say(output.text("keysDropped"));

  nameHost();
  // The lock and the journal are found by its name: by any other name, they would be others, and a login could be sent twice.
  const out = await realPath("--out", named);
  const held = await lock(`${out}.lock`, { force: given["force-lock"] === true });
  const places = [
    ...(path === "-" ? [] : [{ field: "FILE", name: path }]),
    { field: "--out", name: out },
    { field: "--out.journal", name: `${out}.journal` },
    ...(keysTo === undefined ? [] : [{ field: "--keys-to", name: keysTo }]),
  ];
  const opened: { close(): Promise<void> }[] = [];
  const file = async <Line extends { id: string }>(field: string, name: string, shape: v.GenericSchema<Line>) => {
    // Before each of them: a link to one that was not there yet shows only now.
    checkApart(places);
    const lines = await LineFile.open(name, field, shape);
    opened.push(lines);
    return lines;
  };
  try {
    const results = await file("--out", out, resultLine);
    const journal = await file("--out.journal", `${out}.journal`, journalLine);
    const keys = keysTo === undefined ? undefined : await file("--keys-to", keysTo, keyLine);
    const history = new History(journal.lines, results.lines);
    const resends = given["resend-unknown"] === true;
    const standings = logins.map((login) => ({ login, standing: history.standing(login.id) }));
    const again = resends ? ["inFlight", "unknown"] : [];
    const isOpen = (standing: string) => standing === "new" || again.includes(standing);
    const open = standings.filter(({ standing }) => isOpen(standing)).map(({ login }) => login);
    const interrupted = standings.filter(({ standing }) => standing === "inFlight" && !resends);
    const skipped = logins.length - open.length - interrupted.length;
    if (skipped > 0) output.say(`${skipped} ${output.text("skipped")}`);
    const lost = standings.filter(({ standing }) => standing === "failed" || (standing === "unknown" && !resends));
    let isComplete = lost.length === 0;

    const progress = new Progress(open.length + interrupted.length, output);
    const report = async (id: string, provider: string, attempt: number, line: Pick<ResultLine, "status">) => {
      const whole = { id, provider, attempt, ...line };
      await results.append(whole);
      progress.clear();
      if (output.json) output.result(whole, "");
      progress.add(line.status);
      if (line.status !== "logged_in") isComplete = false;
    };

    for (const { login } of interrupted) {
      await report(login.id, login.provider, history.attempts(login.id), { status: "outcome_unknown" });
    }
    const options = {
      signal,
      command,
      timeout: questionTimeout(given),
      sessionReplacement: given["replace-session"] === true,
    };
    const sealed = async (key: Secret | undefined) =>
      key && sealKey ? { sealedKey: await sealSession(key, sealKey, client.baseUrl) } : {};
    await runAll<BatchLogin>(open, limits, signal, async (login) => {
      const { id, provider } = login;
      const attempt = history.attempts(id) + 1;
      // On disk before anything is sent: whatever happens then, the next run knows that it may have been.
      await journal.append({ id, attempt });
      // In this order: whoever takes the lock by force reads the journal after that, and finds this login begun.
      await held.check();
      const { line, key } = await logInOnce(client, login, options);
      // The key first: a result without its key would never be made good.
      if (key && keys) await keys.append({ id, attempt, key: reveal(key) });
      await report(id, provider, attempt, { ...line, ...(await sealed(key)) });
    });
    progress.end();
    if (open.length + interrupted.length === 0) output.say(output.text("nothingToDo"));
    if (lost.length > 0) output.say(`${lost.length} ${output.text("failedBefore")}`);
    if (signal.aborted) output.say(output.text("interrupted"));
    return isComplete ? "success" : "batch_incomplete";
  } finally {
    for (const lines of opened) await lines.close();
    await held.release();
  }
}

/** Each file of a batch is one of its own: what is added to one would be read as another. */
function checkApart(places: readonly { readonly field: string; readonly name: string }[]): void {
  for (const [index, { field, name }] of places.entries()) {
    const other = places.slice(0, index).find((place) => isSameFile(place.name, name));
    if (other) throw new InputError("invalid_input", { field, detail: `is the same file as ${other.field}` });
  }
}

function whole(given: Given, name: string): number {
  const value = numberOf(given, name, { least: 1 }) ?? 1;
  if (!Number.isSafeInteger(value))
    throw new InputError("invalid_input", { field: `--${name}`, detail: "must be a whole number" });
  return value;
}
