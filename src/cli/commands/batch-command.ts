import { InputError, reveal, type Secret } from "../../index.ts";
import { checkKeys } from "../../tokens/sealed-token.ts";
import { type OptionValues, parseNumber } from "../arguments.ts";
import { type BatchLogin, readBatch } from "../batch/batch-file.ts";
import { type BatchFiles, openBatchFiles } from "../batch/batch-files.ts";
import { BatchHistory, type ResultLine } from "../batch/batch-history.ts";
import { logInOnce } from "../batch/batch-login.ts";
import { BatchProgress } from "../batch/batch-progress.ts";
import { runAll } from "../batch/batch-schedule.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import type { EndStatus } from "../exit-codes.ts";
import { createAnswerProgram } from "../login/answer-program.ts";
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

/** What the logins of a batch are run with. */
interface BatchSettings {
  readonly limits: { readonly concurrency: number; readonly perProvider: number };
  readonly command: string | undefined;
  /** Milliseconds to answer. */
  readonly timeout: number;
  readonly sessionReplacement: boolean;
  readonly sealKey: Secret | undefined;
}

async function runBatch({ values, environment, signal }: CommandContext<typeof options>): Promise<EndStatus> {
  const service = await connectService(values, environment, signal);
  const { output } = service;
  service.checkCredential("FILE");
  const { file: input, out, "keys-to": keysTo } = values;
  if (out === undefined) throw new InputError("missing_field", { field: "--out" });
  const settings = await readBatchSettings(values, environment);
  const logins = readBatch(await readCredentialsText("FILE", input, output));
  if (!settings.sealKey && keysTo === undefined) output.say(output.text("keysDropped"));
  service.nameHost();
  const files = await openBatchFiles({ input, out, keysTo }, { force: values["force-lock"] });
  try {
    const history = new BatchHistory(files.journal.lines, files.results.lines);
    const { open, interrupted, lost } = history.plan(logins, { resends: values["resend-unknown"] });
    const left = open.length + interrupted.length;
    if (left < logins.length) output.say(`${logins.length - left} ${output.text("skipped")}`);

    const progress = new BatchProgress(left, output);
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
    await runAll(open, settings.limits, signal, async (login) =>
      report(await runLogin(login, history.attempts(login.id) + 1, { files, service, settings, signal })),
    );
    progress.finish();
    if (left === 0) output.say(output.text("nothingToDo"));
    if (lost.length > 0) output.say(`${lost.length} ${output.text("failedBefore")}`);
    if (signal.aborted) output.say(output.text("interrupted"));
    return isComplete ? "success" : "batch_incomplete";
  } finally {
    await files.close();
  }
}

interface BatchRun {
  readonly files: BatchFiles;
  readonly service: Service;
  readonly settings: BatchSettings;
  readonly signal: AbortSignal;
}

/** One login of a batch, and its line of the results. */
async function runLogin(
  login: BatchLogin,
  attempt: number,
  { files, service: { client }, settings, signal }: BatchRun,
): Promise<ResultLine> {
  const { id, provider } = login;
  const { sealKey } = settings;
  // On disk before anything is sent: whatever happens then, the next run knows that it may have been.
  await files.journal.append({ id, attempt });
  // In this order: whoever takes the lock by force reads the journal after that, and finds this login begun.
  await files.checkLock();
  const { line, key } = await logInOnce(client, login, { ...settings, signal });
  // The key first: a result without its key would never be made good.
  if (key) await files.keys?.append({ id, attempt, key: reveal(key) });
  const sealed = key && sealKey ? { sealedKey: await sealSession(key, sealKey, client.baseUrl) } : {};
  return { id, provider, attempt, ...line, ...sealed };
}

async function readBatchSettings(values: BatchValues, environment: NodeJS.ProcessEnv): Promise<BatchSettings> {
  const command = values["answer-command"];
  // A command that can't be one is found before the first login, not after it.
  if (command !== undefined) createAnswerProgram(command);
  const sealKey = values["seal-keys"] ? await readSealKey(values, environment) : undefined;
  if (sealKey) checkKeys(sealKey, "--seal-key-from");
  return {
    limits: {
      concurrency: parseWhole("--concurrency", values.concurrency),
      perProvider: parseWhole("--per-provider", values["per-provider"]),
    },
    command,
    timeout: readAnswerTimeout(values),
    sessionReplacement: values["replace-session"],
    sealKey,
  };
}

function parseWhole(option: string, text: string): number {
  const value = parseNumber(option, text, { least: 1 });
  if (Number.isSafeInteger(value)) return value;
  throw new InputError("invalid_input", { field: option, detail: "must be a whole number" });
}
