import { setMaxListeners } from "node:events";
import { InputError, reveal } from "../../index.ts";
import { flag, option, parseNumber } from "../arguments.ts";
import { BatchHistory, type ResultLine } from "../batch/batch-history.ts";
import { type BatchLogin, readBatch } from "../batch/batch-input.ts";
import { logInOnce, readBatchLoginSettings } from "../batch/batch-login.ts";
import { type BatchOutput, openBatchOutput } from "../batch/batch-output.ts";
import { createBatchProgress } from "../batch/batch-progress.ts";
import { runAll } from "../batch/batch-schedule.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import type { CommandStatus } from "../exit-codes.ts";
import { readCredentialsText } from "../login/credentials-file.ts";
import { answerOptions } from "../login/login-options.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
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

async function runBatch(context: CommandContext<typeof options>): Promise<CommandStatus> {
  // Each running login listens to this signal.
  setMaxListeners(0, context.program.signal);
  const run = await prepareBatch(context);
  const output = await openBatchOutput(context.values.file, run);
  try {
    return await runLogins(run, output);
  } finally {
    await output.close();
  }
}

/** A batch that is ready to run. */
type BatchRun = Awaited<ReturnType<typeof prepareBatch>>;

/** Checks the options and reads the logins, before anything is written. */
async function prepareBatch(context: CommandContext<typeof options>) {
  const { values, program } = context;
  const { file: input, out, "keys-to": keysTo } = values;
  const service = await connectService(context);
  if (out === undefined) throw new InputError("missing_field", { field: "--out" });
  const limits = {
    concurrency: parseWhole("--concurrency", values.concurrency),
    perProvider: parseWhole("--per-provider", values["per-provider"]),
  };
  const settings = readBatchLoginSettings(values, program);
  const sealKey = values["seal-keys"] ? await readSealKey(values, program) : undefined;
  const logins = readBatch(await readCredentialsText("FILE", input, program, service.output));
  if (!sealKey && keysTo === undefined) service.output.say(service.output.text("keysDropped"));
  service.nameHost();
  const { "force-lock": force, "resend-unknown": resends } = values;
  return { service, out, keysTo, force, limits, settings, sealKey, logins, resends };
}

/** Sends the logins that are left, and reports each of them. */
async function runLogins(run: BatchRun, files: BatchOutput): Promise<CommandStatus> {
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
  files: BatchOutput,
): Promise<ResultLine> {
  const { id, provider } = login;
  // Written before the login is sent, so that the next run knows of it.
  await files.journal.append({ id, attempt });
  // After the journal: a batch that takes the lock by force finds this login there.
  await files.checkLock();
  const { line, key } = await logInOnce(client, login, settings);
  // Before the result: a login with a result is not sent again, so its key could not be had later.
  if (key) await files.keys?.append({ id, attempt, key: reveal(key) });
  const sealed = key && sealKey ? { sealedKey: await sealSession(key, sealKey, client.baseUrl) } : {};
  return { id, provider, attempt, ...line, ...sealed };
}

function parseWhole(option: string, text: string): number {
  const value = parseNumber(option, text, { least: 1 });
  if (Number.isSafeInteger(value)) return value;
  throw new InputError("invalid_input", { field: option, detail: "must be a whole number" });
}
