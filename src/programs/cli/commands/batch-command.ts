import { setMaxListeners } from "node:events";
import { isAboutSetUp } from "../../../core/batch/batch-login.ts";
import { BankError, type BatchResult, batch as logInAll, reveal } from "../../../index.ts";
import { flag, option, parseNumber } from "../arguments.ts";
import { findClaims } from "../batch/batch-claims.ts";
import { BatchHistory, type ResultLine } from "../batch/batch-history.ts";
import { readBatch } from "../batch/batch-input.ts";
import { type BatchOutput, openBatchOutput } from "../batch/batch-output.ts";
import { createBatchProgress } from "../batch/batch-progress.ts";
import { readBatchLoginSettings, toRow, toStatus } from "../batch/batch-row.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { type CommandStatus, commandStatuses } from "../exit-codes.ts";
import { answerOptions } from "../login/login-options.ts";
import { readSecretText } from "../settings/private-files.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { readSealKey, sealOptions, sealSession } from "../settings/session-key.ts";

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
  resend: option(
    "statuses",
    "Send again the logins that ended with one of these statuses, such as wrong_credentials,outcome_unknown; the bank may have received them",
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
  if (out === undefined) throw new BankError("missing_field", { field: "--out" });
  const limits = {
    concurrency: parseWhole("--concurrency", values.concurrency),
    perProvider: parseWhole("--per-provider", values["per-provider"]),
  };
  const resend = readStatuses(values.resend);
  const claims = findClaims(values.claims, program.environment);
  const settings = await readBatchLoginSettings(values, program);
  const sealKey = values["seal-keys"] ? await readSealKey(values, program, service.output) : undefined;
  const logins = readBatch(await readSecretText("FILE", input, program, service.output));
  if (!sealKey && keysTo === undefined) service.output.say(service.output.text("keysDropped"));
  service.nameHost();
  return { service, out, keysTo, claims, limits, settings, sealKey, logins, resend };
}

/** Sends the logins that are left, and reports each of them. */
async function runLogins(run: BatchRun, files: BatchOutput): Promise<CommandStatus> {
  const { logins, limits, resend, service, settings } = run;
  const { client, output } = service;
  const { signal, stderr } = settings.program;
  const before = new BatchHistory(files.results.lines);
  const open = logins.filter(({ id }) => before.isOpen(id, resend));
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
  const claimedElsewhere: BatchResult[] = [];
  let stop: BatchResult | undefined;
  try {
    const { claimStore, name } = files.claims;
    for await (const result of logInAll(client, rows, { claimStore, name, ...limits, signal })) {
      if (result.fault?.field === "claimStore") {
        claimedElsewhere.push(result);
        continue;
      }
      const line = await toLine(result, run, files);
      await report(line);
      if (result.isAboutSetUp) stop ??= result;
    }
  } catch (error) {
    throw error instanceof BankError && error.field === "claimStore" ? files.claims.toFault(error.cause) : error;
  }
  const after = new BatchHistory(await files.results.read());
  for (const { id, provider, attempt } of claimedElsewhere) {
    const last = after.last(id);
    // Without a result the other run goes on, and will report it, or was killed.
    if (last && last.attempt >= attempt) progress.add(last.status);
    else await report({ id, provider, attempt, status: "outcome_unknown" });
  }
  progress.finish();
  if (open.length === 0) output.say(output.text("nothingToDo"));
  const lost = logins.filter((login) => !open.includes(login) && before.last(login.id)?.status !== "logged_in");
  if (lost.length > 0) output.say(`${output.text("failedBefore")}: ${lost.length}. ${output.text("failedBeforeHelp")}`);
  if (signal.aborted) output.say(output.text("interrupted"));
  const reason = stop?.fault ?? (stop?.outcome.status === "failed" ? stop.outcome.failure : undefined);
  if (reason) {
    const { code, field, httpStatus, retryAfter, detail } = reason;
    output.say(output.text("stopped"));
    return output.outcome(code, { field, httpStatus, retryAfter, detail });
  }
  return logins.every(({ id }) => after.last(id)?.status === "logged_in") ? "success" : "batch_incomplete";
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
