import { logInRows, toSchedule } from "../../../core/batch/batch.ts";
import { isAboutSetUp } from "../../../core/batch/batch-login.ts";
import { type BatchJournal, type BatchResult, batch as logInAll } from "../../../core/batch/index.ts";
import type { JournalRow, ResultLine } from "../../../core/batch/journal-file.ts";
import { type BankClient, BankError, rememberRefusals } from "../../../index.ts";
import { flag, group, option, parseCount, parseSeconds } from "../arguments.ts";
import { type BatchLogin, prepareLogin, readBatch } from "../batch/batch-input.ts";
import { type BatchOutput, type EndedLogin, isFull, isOpen, openBatchOutput } from "../batch/batch-output.ts";
import { createBatchProgress } from "../batch/batch-progress.ts";
import {
  type BatchLoginSettings,
  readBatchLoginSettings,
  toCommandResult,
  toRow,
  toUnanswered,
} from "../batch/batch-row.ts";
import { createDurableRows, openDurableLogins } from "../batch/durable-rows.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { type CommandResult, commandResults, exitCodes, toExitCode, toState } from "../exit-codes.ts";
import { answerOptions } from "../login/login-options.ts";
import { readSecretText } from "../settings/private-files.ts";
import { openRefusals, refusalOptions } from "../settings/refusals.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { readSealKeys, sealOptions, sealSession } from "../settings/session-key.ts";
import type { Output } from "../terminal/output.ts";

/** The most milliseconds that a login takes besides its waits. */
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
  restate: option(
    "url",
    "Address of Restate's ingress: each login is a durable one there, sent once however many processes send the file; needs the seal key of its workers",
  ),
  resend: option(
    "codes",
    "Send again the logins that ended with one of these codes or states, such as provider_unavailable,expired; the bank may have received them",
  ),
  ...group("The session key", {
    "seal-keys": flag("Put the session keys into the results, sealed"),
    "keys-to": option("file", "Write the session keys unsealed to a file of mode 600"),
  }),
  ...answerOptions,
  ...refusalOptions,
  ...sealOptions,
  ...serviceOptions,
} as const;

export const batch = defineCommand({
  description: "Log in many users, and continue after an interruption",
  options,
  examples: [
    [
      "ventanilla batch logins.jsonl --out results.jsonl --concurrency 8",
      "the same line again continues after an interruption",
    ],
    [
      "ventanilla batch logins.jsonl --out results.jsonl \\\n  --answer-command 'otp {id} {field}' --seal-keys",
      "with one-time codes, keeping the keys sealed",
    ],
  ],
  run: runBatch,
});

async function runBatch(context: CommandContext<typeof options>): Promise<CommandResult> {
  const run = await prepareBatch(context);
  const refusals = await openRefusals(context);
  try {
    const { out, keysTo, limits } = run;
    const { client } = run.service;
    const ignoreKnownRefusal = context.values["ignore-known-refusal"];
    const careful = refusals.memory ? rememberRefusals(client, refusals.memory, { ignoreKnownRefusal }) : client;
    const output = await openBatchOutput(context.values.file, { out, keysTo, concurrency: limits.concurrency });
    try {
      return await runLogins(run, output, careful);
    } finally {
      await output.close();
      await run.settings.telemetry.flush();
    }
  } catch (error) {
    if (error instanceof BankError && isFull(error)) return reportUnwritten(error, run);
    throw error;
  } finally {
    await refusals.close();
  }
}

type BatchRun = Awaited<ReturnType<typeof prepareBatch>>;

/** Checks the options and reads the logins, before anything is written. */
async function prepareBatch(context: CommandContext<typeof options>) {
  const { values, program } = context;
  const { file: input, out, "keys-to": keysTo } = values;
  const service = await connectService(context);
  if (out === undefined) throw new BankError("missing_field", { field: "--out" });
  const limits = {
    concurrency: parseCount("--concurrency", values.concurrency),
    perProvider: parseCount("--per-provider", values["per-provider"]),
  };
  // The time after the first signal until running logins are aborted.
  const drainTimeout = values.timeout === undefined ? LOGIN_TIME : parseSeconds("--timeout", values.timeout);
  const resend = readStatuses(values.resend);
  const settings = await readBatchLoginSettings(values, program);
  const { restate } = values;
  if (restate !== undefined && values.refusals !== undefined) {
    throw new BankError("invalid_input", { field: "--refusals", detail: "can't be given with --restate" });
  }
  const seals = values["seal-keys"] || restate !== undefined;
  const keys = seals ? await readSealKeys(values, program, service.output) : undefined;
  const sealKey = values["seal-keys"] ? keys : undefined;
  const logins = readBatch(await readSecretText("FILE", input, program, service.output));
  const durable =
    restate === undefined || !keys
      ? undefined
      : createDurableRows(await openDurableLogins(restate, keys), logins, settings);
  if (!sealKey && keysTo === undefined) service.output.say(service.output.text("keysDropped"));
  service.nameHost();
  return { service, out, keysTo, drainTimeout, limits, settings, sealKey, logins, resend, durable };
}

/** Sends the remaining logins, and reports each of them. */
async function runLogins(run: BatchRun, files: BatchOutput, careful: BankClient): Promise<CommandResult> {
  const { logins, limits, resend, service, settings, durable } = run;
  const { client, output } = service;
  const { rows } = files;
  // An earlier run was killed, so the bank's responses to these are not known.
  const lost = logins.flatMap((login) => {
    const row = rows.get(login.id);
    if (row === undefined || row.end !== undefined) return [];
    const { id, provider } = prepareLogin(login);
    return [{ id, provider, attempt: row.attempt, ...toState("outcome_unknown") }];
  });
  await Promise.all(lost.map((line) => files.write({ line })));
  const isOpenLogin = ({ id }: Pick<BatchLogin, "id">) => isOpen(rows.get(id), resend);
  const hasSession = ({ id }: BatchLogin) => rows.get(id)?.end === "logged_in";
  const open = logins.filter(isOpenLogin);
  const unknown = lost.filter((login) => !isOpenLogin(login));
  const closed = logins.filter((login) => !isOpenLogin(login) && !hasSession(login));
  let left = open.length;
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
    progress.add(line.code ?? line.state);
  };
  for (const line of unknown) report(line);
  const { drain, signal, stopWaiting } = createSignals(run, files.failed);
  const ended = new Map<string, ResultLine>();
  const journal: BatchJournal = {
    // Restate knows which logins were begun.
    begin: durable ? () => true : files.begin,
    async end(result) {
      if (durable?.isLeft(result)) return;
      left -= 1;
      const login = await toEndedLogin(result, run);
      ended.set(login.line.id, login.line);
      await files.write(login);
    },
  };
  let stop: BatchResult | undefined;
  try {
    const batched = makeRows(open, rows, settings);
    const options = { ...limits, drain, signal };
    const results = durable
      ? logInRows(durable.logIn, batched, { ...toSchedule(options), journal })
      : logInAll(careful, batched, { journal, ...options });
    for await (const result of results) {
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
  hintAtResend(
    closed.flatMap(({ id }) => rows.get(id) ?? []),
    output,
  );
  if (left > 0) output.say(`${output.text("leftUnsent")}: ${left}. ${output.text("leftUnsentHelp")}`);
  if (signal.aborted) output.say(output.text("interrupted"));
  if (unwritten.length > 0) output.say(`${output.text("unwritten")}: ${unwritten.join(", ")}`);
  const fault = files.fault();
  if (fault) return reportUnwritten(fault, run);
  const reason = stop?.fault ?? (stop?.outcome.state === "failed" ? stop.outcome.failure : undefined);
  if (reason) {
    const { code, field, httpStatus, retryAfter, detail } = reason;
    output.say(output.text(stop?.stop === "maxFaults" ? "stoppedByFaults" : "stopped"));
    return output.outcome(code, { field, httpStatus, retryAfter, detail });
  }
  return logins.every(hasSession) ? "success" : "batch_incomplete";
}

function reportUnwritten({ field, detail }: BankError, { service: { output } }: BatchRun): CommandResult {
  output.failure("results_unwritten", output.text("resultsUnwritten"), { field, detail });
  return "results_unwritten";
}

/** Creates each row just before it is sent. */
function* makeRows(logins: readonly BatchLogin[], rows: ReadonlyMap<string, JournalRow>, settings: BatchLoginSettings) {
  for (const login of logins) yield toRow(login, (rows.get(login.id)?.attempt ?? 0) + 1, settings);
}

/** The signals of a run: the first signal of the process begins no more logins; the next one, or a long wait, aborts the running logins. */
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

/** Explains how logins without a session can be sent again: first those that are safe to send. */
function hintAtResend(lost: readonly JournalRow[], output: Output): void {
  if (lost.length === 0) return;
  output.say(`${output.text("failedBefore")}: ${lost.length}. ${output.text("failedBeforeHelp")}`);
  const statuses = commandResults.filter((status) => lost.some((line) => line.end === status));
  // With other exit codes the same login would fail again, or could lock the user.
  const safe = statuses.filter((status) => toExitCode(status) === exitCodes.retry);
  const unsure = statuses.filter(
    (status) => toExitCode(status) === exitCodes.wait || toExitCode(status) === exitCodes.person,
  );
  const named = [...safe, ...unsure];
  if (named.length > 0) output.say(`${output.text("resendHelp")}: --resend ${named.join(",")}`);
}

async function toEndedLogin(
  result: BatchResult,
  { service: { client }, sealKey, durable }: BatchRun,
): Promise<EndedLogin> {
  const { id, provider, attempt, sent, milliseconds } = result;
  const interaction = durable?.findUnanswered(result);
  const { status, key, details } = interaction ? toUnanswered(interaction) : await toCommandResult(result);
  const sealed = key && sealKey ? { sealedKey: await sealSession(key, sealKey, client.baseUrl) } : {};
  const line = {
    id,
    provider,
    attempt,
    ...toState(status),
    ...(!sent && { sent: false as const }),
    ...details,
    milliseconds,
  };
  return { line: { ...line, ...sealed }, key };
}

function readStatuses(text: string | undefined): readonly string[] {
  const statuses = text?.split(",") ?? [];
  const isKnown = (status: string) => status !== "logged_in" && commandResults.some((known) => known === status);
  if (statuses.every(isKnown)) return statuses;
  throw new BankError("invalid_input", {
    field: "--resend",
    detail: "must be codes or states of the results, with commas",
  });
}
