import { resolve } from "node:path";
import { BankError, type LoginHandlers, type LoginOutcome, loginView, type OpenOutcome } from "../../index.ts";
import { defineCommand } from "../command.ts";
import type { EndStatus } from "../exit-codes.ts";
import { createLoginHandlers } from "../login/login-handlers.ts";
import { observeLogin } from "../login/login-observation.ts";
import { type LoginValues, loginOptions } from "../login/login-options.ts";
import { type LoginEnd, reportEnd } from "../login/login-report.ts";
import { type LoginSettings, readLoginSettings } from "../login/login-settings.ts";
import { prepareNewLogin } from "../login/new-login.ts";
import { type PreparedLogin, preparePausedLogin } from "../login/prepared-login.ts";
import { writePrivate } from "../settings/private-files.ts";
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
    ["ventanilla login --resume paused.login", "goes on, in another terminal or on another machine"],
  ],
  run: ({ values, environment, signal }) => logIn(values, environment, signal),
});

/** Logs in as the options say, and reports the end. */
export async function logIn(
  values: LoginValues,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<EndStatus> {
  const settings = await readLoginSettings(values, environment, signal);
  settings.service.nameHost();
  const prepared =
    values.resume === undefined ? await prepareNewLogin(settings) : await preparePausedLogin(values.resume, settings);
  if (typeof prepared === "string") return prepared;
  const { inspect, close } = await observeLogin(values, environment, settings.service.output);
  const handlers = { ...createLoginHandlers(settings, prepared), signal, ...(inspect && { inspect }) };
  try {
    let end = await reachEnd(prepared, handlers);
    while (end.status === "wrong_credentials" && (await prepared.askAgain())) end = await reachEnd(prepared, handlers);
    return "pause" in end ? await leaveOpen(end, prepared, settings) : await reportEnd(end, settings);
  } finally {
    await close();
  }
}

/** How a login ended: its outcome, or the fault that ended it. */
async function reachEnd({ start, provider }: PreparedLogin, handlers: LoginHandlers): Promise<LoginOutcome | LoginEnd> {
  return start(handlers).catch((error: unknown): LoginEnd => {
    if (error instanceof Interruption || !(error instanceof BankError)) throw error;
    return { status: error.code, provider: provider || undefined, httpStatus: error.httpStatus, fault: error };
  });
}

/** Pauses a login whose question nothing answers, where that was asked for; else cancels it. */
async function leaveOpen(outcome: OpenOutcome, prepared: PreparedLogin, settings: LoginSettings): Promise<EndStatus> {
  const { values, service, sealKey, timeout } = settings;
  const { detail } = prepared;
  const { actor } = outcome;
  const { locale } = service.output;
  // Over a picture stands a text of ours.
  const view = loginView(actor.getSnapshot(), actor.send, { provider: outcome.provider, detail, locale });
  const question = view.step === "answering" ? view.question.text : undefined;
  const path = values["pause-to"];
  if (path === undefined || !sealKey) {
    const status = await reportEnd({ ...outcome, question }, settings);
    await outcome.cancel();
    return status;
  }
  const token = await outcome.pause({ key: sealKey, sealTtl: timeout });
  await writePrivate("--pause-to", path, `${token}\n`);
  // One login, one file: what it was taken up from is used up, unless an answer did that already.
  if (values.resume === undefined || resolve(path) !== resolve(values.resume)) await prepared.consumeFile();
  return reportEnd({ ...outcome, question, key: undefined, status: "paused" }, settings);
}
