import { CLAIM_LIFETIME } from "../../../core/batch/batch.ts";
import { isAboutSetUp } from "../../../core/batch/batch-login.ts";
import { BankError, type BatchResult, batch as logInAll, type RefusalMemory, reveal } from "../../../index.ts";
import { flag, option, parseNumber, parseSeconds } from "../arguments.ts";
import { findClaims } from "../batch/batch-claims.ts";
import { BatchHistory, type ResultLine } from "../batch/batch-history.ts";
import { readBatch } from "../batch/batch-input.ts";
import { type BatchOutput, openBatchOutput } from "../batch/batch-output.ts";
import { createBatchProgress } from "../batch/batch-progress.ts";
import { readBatchLoginSettings, toRow, toStatus } from "../batch/batch-row.ts";
import { awaitEnds, type ClaimedLogin, findOpen } from "../batch/other-runs.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { type CommandStatus, commandStatuses, exitCodes, toExitCode } from "../exit-codes.ts";
import { answerOptions } from "../login/login-options.ts";
import { readSecretText } from "../settings/private-files.ts";
import { openRefusals, refusalOptions } from "../settings/refusals.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { readSealKeys, sealOptions, sealSession } from "../settings/session-key.ts";
import type { Output } from "../terminal/output.ts";

const DAY = 24 * 60 * 60 * 1000;

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
  claims: option(
    "place",
    "Where all runs of the batch claim each login before it is sent: folder:PATH, redis://…#NAME or postgres://…#NAME (VENTANILLA_CLAIMS; default the folder of --out with .claims)",
  ),
  "claim-days": option("days", "Days for which a claim is kept: as long as the batch may be run again", {
    default: `${CLAIM_LIFETIME / DAY}`,
  }),
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
    const output = await openBatchOutput(context.values.file, run);
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
  const claimLifetime = parseWhole("--claim-days", values["claim-days"]) * DAY;
  // After a stop the logins that run are aborted then.
  const drainTimeout = values.timeout === undefined ? LOGIN_TIME : parseSeconds("--timeout", values.timeout);
  const resend = readStatuses(values.resend);
  const claims = findClaims(values.claims, program.environment);
  const settings = await readBatchLoginSettings(values, program);
  const sealKey = values["seal-keys"] ? await readSealKeys(values, program, service.output) : undefined;
  const logins = readBatch(await readSecretText("FILE", input, program, service.output));
  if (!sealKey && keysTo === undefined) service.output.say(service.output.text("keysDropped"));
  service.nameHost();
  return { service, out, keysTo, claims, claimLifetime, drainTimeout, limits, settings, sealKey, logins, resend };
}

/** Sends the logins that are left, and reports each of them. */
async function runLogins(
  run: BatchRun,
  files: BatchOutput,
  refusals: RefusalMemory | undefined,
): Promise<CommandStatus> {
  const { logins, limits, claimLifetime, resend, service, settings } = run;
  const { claims } = files;
  const { client, output } = service;
  const { stderr } = settings.program;
  const before = new BatchHistory(files.results.lines);
  const open = await findOpen(logins, resend, { before, claims });
  if (open.length < logins.length) output.say(`${output.text("skipped")}: ${logins.length - open.length}`);
  if (open.length > 0) {
    // A read, so that a wrong address or API key is found before the first login.
    const { status } = await client.listProviders();
    if (status !== "success" && isAboutSetUp({ code: status })) return output.outcome(status);
  }

  const progress = createBatchProgress(open.length, output, stderr);
  const report = async (line: ResultLine) => {
    await files.results.append(line);
    progress.clear();
    if (output.json) output.result({ ...line }, "");
    progress.add(line.status);
  };
  const nextAttempt = (id: string) => (before.last(id)?.attempt ?? 0) + 1;
  const rows = open.map((login) => toRow(login, nextAttempt(login.id), settings));
  const { drain, signal, stopWaiting } = createSignals(run);
  const claimedElsewhere: ClaimedLogin[] = [];
  let stop: BatchResult | undefined;
  try {
    const { claimStore, name } = claims;
    const options = { claimStore, claimLifetime, name, ...limits, drain, signal, ...(refusals && { refusals }) };
    for await (const result of logInAll(client, rows, options)) {
      if (result.fault?.field === "claimStore") {
        claimedElsewhere.push({ ...result, at: Date.now() });
        continue;
      }
      const line = await toLine(result, run, files);
      await report(line);
      await claims.noteEnd(line, line.status);
      if (result.stop) stop ??= result;
    }
    for (const line of await awaitEnds(claimedElsewhere, { claims, output, stop: drain })) await report(line);
  } catch (error) {
    throw error instanceof BankError && error.field === "claimStore" ? claims.toFault(error.cause) : error;
  } finally {
    stopWaiting();
  }
  progress.finish();
  if (open.length === 0) output.say(output.text("nothingToDo"));
  const after = new BatchHistory(await files.results.read());
  hintAtResend(
    logins
      .filter((login) => !open.includes(login))
      .flatMap(({ id }) => (after.hasSession(id) ? [] : (after.last(id) ?? []))),
    output,
  );
  const left = open.filter(({ id }) => (after.last(id)?.attempt ?? 0) < nextAttempt(id));
  if (left.length > 0) output.say(`${output.text("leftUnsent")}: ${left.length}. ${output.text("leftUnsentHelp")}`);
  if (signal.aborted) output.say(output.text("interrupted"));
  const reason = stop?.fault ?? (stop?.outcome.status === "failed" ? stop.outcome.failure : undefined);
  if (reason) {
    const { code, field, httpStatus, retryAfter, detail } = reason;
    output.say(output.text(stop?.stop === "maxFaults" ? "stoppedByFaults" : "stopped"));
    return output.outcome(code, { field, httpStatus, retryAfter, detail });
  }
  return logins.every(({ id }) => after.hasSession(id)) ? "success" : "batch_incomplete";
}

/** The signals of a run: the first one of its process begins no more logins, and the next one, or a long wait, aborts those that run. */
function createSignals({ service: { output }, settings: { program }, drainTimeout }: BatchRun) {
  const drain = program.beginDraining();
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    output.say(output.text("draining"));
    timer = setTimeout(() => late.abort(), drainTimeout);
  };
  drain.addEventListener("abort", begin);
  return {
    drain,
    signal: AbortSignal.any([program.signal, late.signal]),
    stopWaiting() {
      drain.removeEventListener("abort", begin);
      clearTimeout(timer);
    },
  };
}

/** Says how logins that ended without a session can be sent again: those first that are safe to send. */
function hintAtResend(lost: readonly ResultLine[], output: Output): void {
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

/** The line of the results for a login. */
async function toLine(result: BatchResult, { service: { client }, sealKey }: BatchRun, files: BatchOutput) {
  const { id, provider, attempt, sent, milliseconds } = result;
  const { status, key, details } = await toStatus(result);
  // Before the result: a login with a result is not sent again, so its key could not be had later.
  if (key) await files.keys?.append({ id, attempt, key: reveal(key) });
  const sealed = key && sealKey ? { sealedKey: await sealSession(key, sealKey, client.baseUrl) } : {};
  return { id, provider, attempt, status, ...(!sent && { sent }), ...details, milliseconds, ...sealed };
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
