import type { LoginHandlers } from "../../../core/login/handlers.ts";
import { stateNames } from "../../../core/login/login-state.ts";
import type { OpenOutcome } from "../../../core/login/outcome.ts";
import { BankError, loginView } from "../../../index.ts";
import { defineCommand } from "../command.ts";
import type { CommandResult } from "../exit-codes.ts";
import { createLoginHandlers } from "../login/login-handlers.ts";
import { observeLogin } from "../login/login-observation.ts";
import { loginOptions } from "../login/login-options.ts";
import { type LoginReport, reportLogin, toReport } from "../login/login-report.ts";
import { type LoginContext, type LoginSettings, readLoginSettings } from "../login/login-settings.ts";
import { prepareNewLogin } from "../login/new-login.ts";
import { type PreparedLogin, preparePausedLogin } from "../login/prepared-login.ts";
import { realPath, writePrivate } from "../settings/private-files.ts";
import { openRefusals } from "../settings/refusals.ts";
import { Interruption } from "../terminal/prompts.ts";

export const login = defineCommand({
  description: "Log in to a bank",
  options: loginOptions,
  examples: [
    ["ventanilla login", "asks for everything, in a terminal"],
    ["ventanilla login test --credentials-from login.json --key-to session.key", "in a script"],
    [
      "export VENTANILLA_USERNAME=12345\npass bank | ventanilla login test --password-stdin --json",
      "with a password manager",
    ],
    [
      "ventanilla login test --credentials-from login.json \\\n  --answer-command 'otp {field}'",
      "a program brings the one-time code",
    ],
    [
      "ventanilla login test --credentials-from login.json --pause-to paused.login",
      "stops at the question, sealed with VENTANILLA_SEAL_KEY",
    ],
    ["ventanilla login --resume paused.login", "continues, in another terminal or on another machine"],
  ],
  run: logIn,
});

async function logIn(context: LoginContext): Promise<CommandResult> {
  const { values } = context;
  const settings = await readLoginSettings(context);
  settings.service.nameHost();
  if (values.resume !== undefined) return runPrepared(await preparePausedLogin(values.resume, settings), settings);
  const { memory, close } = await openRefusals(context);
  try {
    const prepared = await prepareNewLogin(settings, memory);
    return typeof prepared === "string" ? prepared : await runPrepared(prepared, settings);
  } finally {
    await close();
  }
}

async function runPrepared(prepared: PreparedLogin, settings: LoginSettings): Promise<CommandResult> {
  const { program } = settings;
  const { inspect, close } = await observeLogin(settings);
  const handlers = { ...createLoginHandlers(settings, prepared), signal: program.signal, ...(inspect && { inspect }) };
  try {
    const result = await runLogin(prepared, handlers);
    return "pause" in result ? await pauseOrCancel(result, prepared, settings) : await reportLogin(result, settings);
  } finally {
    await close();
  }
}

/** Reports how a login ended, unless it was left open. */
async function runLogin(
  { start, provider }: PreparedLogin,
  handlers: LoginHandlers,
): Promise<OpenOutcome | LoginReport> {
  try {
    const outcome = await start(handlers);
    return "pause" in outcome ? outcome : toReport(outcome);
  } catch (error) {
    if (error instanceof Interruption || !(error instanceof BankError)) throw error;
    return { status: error.code, provider: provider || undefined, httpStatus: error.httpStatus, fault: error };
  }
}

/** Pauses an unanswered login with `--pause-to`, otherwise cancels it. */
async function pauseOrCancel(
  outcome: OpenOutcome,
  prepared: PreparedLogin,
  settings: LoginSettings,
): Promise<CommandResult> {
  const { values, service, sealKey } = settings;
  const { detail } = prepared;
  const { actor } = outcome;
  const { locale } = service.output;
  // The view has a text in place of a picture.
  const view = loginView(actor.getSnapshot(), actor, { provider: outcome.provider, detail, locale });
  const question = view.state === "awaitingInteraction" ? view.question.text : undefined;
  const pauseTo = values["pause-to"];
  if (pauseTo === undefined || !sealKey) {
    const status = await reportLogin({ ...outcome, status: stateNames[outcome.state], question }, settings);
    await outcome.cancel();
    return status;
  }
  // Not the given name, which may be a link to the file of --resume.
  const file = await realPath("--pause-to", pauseTo);
  const token = await outcome.pause({ key: sealKey });
  await writePrivate("--pause-to", file, `${token}\n`, prepared.consumeFile);
  return reportLogin({ ...outcome, question, key: undefined, status: "paused" }, settings);
}
