import { isAboutSetUp } from "../../../core/batch/batch-login.ts";
import type { JournalRow, ResultLine } from "../../../core/batch/journal-file.ts";
import {
  BankError,
  type BatchJournal,
  type BatchResult,
  batch as logInAll,
  type RefusalMemory,
} from "../../../index.ts";
import { flag, option, parseNumber, parseSeconds } from "../arguments.ts";
import { type BatchLogin, readBatch } from "../batch/batch-input.ts";
import { type BatchOutput, type EndedLogin, isOpen, openBatchOutput } from "../batch/batch-output.ts";
import { createBatchProgress } from "../batch/batch-progress.ts";
import { readBatchLoginSettings, toRow, toStatus } from "../batch/batch-row.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { type CommandStatus, commandStatuses, exitCodes, toExitCode } from "../exit-codes.ts";
import { answerOptions } from "../login/login-options.ts";
import { readSecretText } from "../settings/private-files.ts";
import { openRefusals, refusalOptions } from "../settings/refusals.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { readSealKeys, sealOptions, sealSession } from "../settings/session-key.ts";
import type { Output } from "../terminal/output.ts";

/** Milliseconds that a login takes at most besides its waits. */
const LOGIN_TIME = 120_000;

const options = {
  file: {
    type: "positional",
    description: "JSON lines: id, provider, username, password, and what else credentials have",
    required: true,
  },
  out: option("file", "File that the results are added to (required)"),
  concurrency: option("number", "Logins at a time", { default: "8" }),
  "per-provider": option("number", "Logins at a time at the same bank", { default: "2" }),
  "max-faults": option("number", "End after so many faults in a row", { default: "20" }),
  resend: option(
    "statuses",
    "Send again the logins that ended with one of these statuses, such as provider_unavailable,expired; the bank may have received them",
  ),
  "seal-keys": flag("Put the session keys into the results, sealed"),
  "keys-to": option("file", "Write the session keys unsealed to a file of mode 600"),
  ...answerOptions,
  ...refusalOptions,
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
  const run = await prepareBatch(context);
  const refusals = await openRefusals(context);
  try {
    const { out, keysTo, limits } = run;
    const output = await openBatchOutput(context.values.file, { out, keysTo, concurrency: limits.concurrency });
    try {
      return await runLogins(run, output, refusals.memory);
    } finally {
      await output.close();
      await run.settings.telemetry.flush();
    }
  } finally {
    await refusals.close();
  }
}

/** A batch that is ready to run. */
type BatchRun = Awaited<ReturnType<typeof prepareBatch>>;

/** Checks the options and reads the logins, before anything is written. */
async function prepareBatch(context: CommandContext<typeof options>) {
  const { values, program } = context;
  const { file: input, out, "keys-to": keysTo } = values;
  const service = await connectService(context);
  if (out === undefined) throw new BankError("missing_field", { field: "--out" });
  const limits = {
    concurrency: parseWhole("--concurrency", values.concurrency),
    perProvider: parseWhole("--per-provider", values["per-provider"]),
    maxFaults: parseWhole("--max-faults", values["max-faults"]),
  };
  // After a stop the logins that run are aborted then.
  const drainTimeout = values.timeout === undefined ? LOGIN_TIME : parseSeconds("--timeout", values.timeout);
  const resend = readStatuses(values.resend);
  const settings = await readBatchLoginSettings(values, program);
  const sealKey = values["seal-keys"] ? await readSealKeys(values, program, service.output) : undefined;
  const logins = readBatch(await readSecretText("FILE", input, program, service.output));
  if (!sealKey && keysTo === undefined) service.output.say(service.output.text("keysDropped"));
  service.nameHost();
  return { service, out, keysTo, drainTimeout, limits, settings, sealKey, logins, resend };
}

/** Sends the logins that are left, and reports each of them. */
async function runLogins(
  run: BatchRun,
  files: BatchOutput,
  refusals: RefusalMemory | undefined,
): Promise<CommandStatus> {
  const { logins, limits, resend, service, settings } = run;
  const { client, output } = service;
  const { rows } = files;
  // An earlier run was killed, so what the bank said of these is not known.
  const lost = logins.flatMap(({ id, provider }) => {
    const row = rows.get(id);
    if (row === undefined || row.status !== undefined) return [];
    return [{ id, provider, attempt: row.attempt, status: "outcome_unknown" }];
  });
  await Promise.all(lost.map((line) => files.write({ line })));
  const open = logins.filter(({ id }) => isOpen(rows.get(id), resend));
  const attempts = new Map(open.map(({ id }) => [id, (rows.get(id)?.attempt ?? 0) + 1]));
  const unknown = lost.filter(({ id }) => !attempts.has(id));
  const total = open.length + unknown.length;
  if (total < logins.length) output.say(`${output.text("skipped")}: ${logins.length - total}`);
  if (open.length > 0) {
    // A read, so that a wrong address or API key is found before the first login.
    const { status } = await client.listProviders();
    if (status !== "success" && isAboutSetUp({ code: status })) return output.outcome(status);
  }

  const progress = createBatchProgress(total, output, settings.program.stderr);
  const report = (line: ResultLine) => {
    progress.clear();
    if (output.json) output.result({ ...line }, "");
    progress.add(line.status);
  };
  for (const line of unknown) report(line);
  const { drain, signal, stopWaiting } = createSignals(run, files.failed);
  const ended = new Map<string, ResultLine>();
  const journal: BatchJournal = {
    begin: files.begin,
    async end(result) {
      const login = await toEndedLogin(result, run);
      ended.set(login.line.id, login.line);
      await files.write(login);
    },
  };
  let stop: BatchResult | undefined;
  try {
    const batched = open.map((login) => toRow(login, attempts.get(login.id) ?? 1, settings));
    const options = { journal, ...limits, drain, signal, ...(refusals && { refusals }) };
    for await (const result of logInAll(client, batched, options)) {
      const line = ended.get(result.id);
      ended.delete(result.id);
      if (line) report(line);
      if (result.stop) stop ??= result;
    }
  } finally {
    stopWaiting();
  }
  const unwritten = await files.finish();
  progress.finish();
  if (total === 0) output.say(output.text("nothingToDo"));
  const hasSession = ({ id }: BatchLogin) => rows.get(id)?.status === "logged_in";
  hintAtResend(
    logins.filter((login) => !attempts.has(login.id) && !hasSession(login)).flatMap(({ id }) => rows.get(id) ?? []),
    output,
  );
  const left = open.filter(({ id }) => (rows.get(id)?.attempt ?? 0) < (attempts.get(id) ?? 1));
  if (left.length > 0) output.say(`${output.text("leftUnsent")}: ${left.length}. ${output.text("leftUnsentHelp")}`);
  if (signal.aborted) output.say(output.text("interrupted"));
  if (unwritten.length > 0) output.say(`${output.text("unwritten")}: ${unwritten.join(", ")}`);
  const fault = files.fault();
  if (fault) {
    output.failure("results_unwritten", output.text("resultsUnwritten"), { field: fault.field, detail: fault.detail });
    return "results_unwritten";
  }
  const reason = stop?.fault ?? (stop?.outcome.status === "failed" ? stop.outcome.failure : undefined);
  if (reason) {
    const { code, field, httpStatus, retryAfter, detail } = reason;
    output.say(output.text(stop?.stop === "maxFaults" ? "stoppedByFaults" : "stopped"));
    return output.outcome(code, { field, httpStatus, retryAfter, detail });
  }
  return logins.every(hasSession) ? "success" : "batch_incomplete";
}

/** The signals of a run: the first one of its process begins no more logins, and the next one, or a long wait, aborts those that run. */
function createSignals({ service: { output }, settings: { program }, drainTimeout }: BatchRun, failed: AbortSignal) {
  const drain = program.beginDraining();
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    output.say(output.text("draining"));
    timer = setTimeout(() => late.abort(), drainTimeout);
  };
  drain.addEventListener("abort", begin);
  return {
    drain: AbortSignal.any([drain, failed]),
    signal: AbortSignal.any([program.signal, late.signal]),
    stopWaiting() {
      drain.removeEventListener("abort", begin);
      clearTimeout(timer);
    },
  };
}

/** Says how logins that ended without a session can be sent again: those first that are safe to send. */
function hintAtResend(lost: readonly JournalRow[], output: Output): void {
  if (lost.length === 0) return;
  output.say(`${output.text("failedBefore")}: ${lost.length}. ${output.text("failedBeforeHelp")}`);
  const statuses = commandStatuses.filter((status) => lost.some((line) => line.status === status));
  // After another class the same login would fail again, or could lock the user.
  const safe = statuses.filter((status) => toExitCode(status) === exitCodes.retry);
  const unsure = statuses.filter(
    (status) => toExitCode(status) === exitCodes.wait || toExitCode(status) === exitCodes.person,
  );
  const named = [...safe, ...unsure];
  if (named.length > 0) output.say(`${output.text("resendHelp")}: --resend ${named.join(",")}`);
}

/** The line of the results for a login, and its session key. */
async function toEndedLogin(result: BatchResult, { service: { client }, sealKey }: BatchRun): Promise<EndedLogin> {
  const { id, provider, attempt, sent, milliseconds } = result;
  const { status, key, details } = await toStatus(result);
  const sealed = key && sealKey ? { sealedKey: await sealSession(key, sealKey, client.baseUrl) } : {};
  const line = { id, provider, attempt, status, ...(!sent && { sent: false as const }), ...details, milliseconds };
  return { line: { ...line, ...sealed }, key };
}

/** The statuses of `--resend`. */
function readStatuses(text: string | undefined): readonly string[] {
  const statuses = text?.split(",") ?? [];
  const isKnown = (status: string) => status !== "logged_in" && commandStatuses.some((known) => known === status);
  if (statuses.every(isKnown)) return statuses;
  throw new BankError("invalid_input", { field: "--resend", detail: "must be statuses of the results, with commas" });
}

function parseWhole(option: string, text: string): number {
  const value = parseNumber(option, text, { least: 1 });
  if (Number.isSafeInteger(value)) return value;
  throw new BankError("invalid_input", { field: option, detail: "must be a whole number" });
}
