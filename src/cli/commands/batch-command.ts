import { setMaxListeners } from "node:events";
import { InputError, reveal, type Secret } from "../../index.ts";
import { flag, type OptionValues, option, parseNumber } from "../arguments.ts";
import { type BatchLogin, readBatch } from "../batch/batch-file.ts";
import { type BatchFiles, openBatchFiles } from "../batch/batch-files.ts";
import { BatchHistory, type ResultLine } from "../batch/batch-history.ts";
import { type BatchLoginSettings, logInOnce } from "../batch/batch-login.ts";
import { createBatchProgress } from "../batch/batch-progress.ts";
import { type Limits, runAll } from "../batch/batch-schedule.ts";
import { type CommandContext, defineCommand, type ProgramContext } from "../command.ts";
import type { CommandStatus } from "../exit-codes.ts";
import { splitWords } from "../login/answer-program.ts";
import { readCredentialsText } from "../login/credentials-file.ts";
import { answerOptions, readAnswerTimeout } from "../login/login-options.ts";
import { connectService, type Service, serviceOptions } from "../settings/service-settings.ts";
import { readSealKey, sealOptions, sealSession } from "../settings/session-key.ts";

const options = {
  file: {
    type: "positional",
    description: "JSON lines: id, provider, username, password, and what else credentials have",
    required: true,
  },
  out: option("file", "File that the results are added to (required); beside it FILE.journal says which logins began"),
  concurrency: option("number", "Logins at a time", { default: "8" }),
  "per-provider": option("number", "Logins at a time at the same bank", { default: "2" }),
  "resend-unknown": flag("Send again each login that began and has no result; the bank may have it already"),
  "force-lock": flag(
    "Take the results from a batch on another host or in another container; make sure that it has ended",
  ),
  "seal-keys": flag("Put the session keys into the results, sealed"),
  "keys-to": option("file", "Write the session keys unsealed to a file of mode 600"),
  ...answerOptions,
  ...sealOptions,
  ...serviceOptions,
} as const;

export const batch = defineCommand({
  description: "Log in many users, and go on where it was stopped",
  options,
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
  run: runBatch,
});

type BatchValues = OptionValues<typeof options>;

/** A batch that is ready to run. */
interface BatchRun {
  readonly logins: readonly BatchLogin[];
  readonly limits: Limits;
  readonly resends: boolean;
  readonly service: Service;
  readonly settings: BatchLoginSettings;
  /** Seals the session keys in the results. */
  readonly sealKey: Secret | undefined;
}

async function runBatch({ values, program }: CommandContext<typeof options>): Promise<CommandStatus> {
  // Every login that runs listens for the end of the program.
  setMaxListeners(0, program.signal);
  const { file: input, out, "keys-to": keysTo } = values;
  const service = await connectService(values, program);
  const { output } = service;
  service.checkCredential("FILE");
  if (out === undefined) throw new InputError("missing_field", { field: "--out" });
  const run: BatchRun = {
    limits: {
      concurrency: parseWhole("--concurrency", values.concurrency),
      perProvider: parseWhole("--per-provider", values["per-provider"]),
    },
    settings: readLoginSettings(values, program),
    sealKey: values["seal-keys"] ? await readSealKey(values, program) : undefined,
    logins: readBatch(await readCredentialsText("FILE", input, program, output)),
    resends: values["resend-unknown"],
    service,
  };
  if (!run.sealKey && keysTo === undefined) output.say(output.text("keysDropped"));
  service.nameHost();
  const files = await openBatchFiles({ input, out, keysTo }, { force: values["force-lock"] });
  try {
    return await runLogins(run, files);
  } finally {
    await files.close();
  }
}

/** Sends the logins that are left to do, and reports each one. */
async function runLogins(run: BatchRun, files: BatchFiles): Promise<CommandStatus> {
  const { logins, limits, resends, service, settings } = run;
  const { output } = service;
  const { signal, stderr } = settings.program;
  const history = new BatchHistory(files.journal.lines, files.results.lines);
  const { open, interrupted, lost } = history.plan(logins, { resends });
  const left = open.length + interrupted.length;
  if (left < logins.length) output.say(`${logins.length - left} ${output.text("skipped")}`);

  const progress = createBatchProgress(left, output, stderr);
  let isComplete = lost.length === 0;
  const report = async (line: ResultLine) => {
    await files.results.append(line);
    progress.clear();
    if (output.json) output.result({ ...line }, "");
    progress.add(line.status);
    if (line.status !== "logged_in") isComplete = false;
  };
  for (const { id, provider } of interrupted) {
    await report({ id, provider, attempt: history.attempts(id), status: "outcome_unknown" });
  }
  await runAll(open, limits, signal, async (login) =>
    report(await runLogin(login, history.attempts(login.id) + 1, run, files)),
  );
  progress.finish();
  if (left === 0) output.say(output.text("nothingToDo"));
  if (lost.length > 0) output.say(`${lost.length} ${output.text("failedBefore")}`);
  if (signal.aborted) output.say(output.text("interrupted"));
  return isComplete ? "success" : "batch_incomplete";
}

/** One login of a batch, and its line of the results. */
async function runLogin(
  login: BatchLogin,
  attempt: number,
  { service: { client }, settings, sealKey }: BatchRun,
  files: BatchFiles,
): Promise<ResultLine> {
  const { id, provider } = login;
  // On disk before the login is sent: the next run then knows that it may have been sent.
  await files.journal.append({ id, attempt });
  // After the journal: a batch that takes the lock by force reads it, and finds this login begun.
  await files.checkLock();
  const { line, key } = await logInOnce(client, login, settings);
  // The key first: a login with a result is not sent again, so a key missing here would stay missing.
  if (key) await files.keys?.append({ id, attempt, key: reveal(key) });
  const sealed = key && sealKey ? { sealedKey: await sealSession(key, sealKey, client.baseUrl) } : {};
  return { id, provider, attempt, ...line, ...sealed };
}

function readLoginSettings(values: BatchValues, program: ProgramContext): BatchLoginSettings {
  const command = values["answer-command"];
  // A text that is no command is found before the first login, not after it.
  if (command !== undefined) splitWords(command, "--answer-command");
  return { program, command, timeout: readAnswerTimeout(values), sessionReplacement: values["replace-session"] };
}

function parseWhole(option: string, text: string): number {
  const value = parseNumber(option, text, { least: 1 });
  if (Number.isSafeInteger(value)) return value;
  throw new InputError("invalid_input", { field: option, detail: "must be a whole number" });
}
