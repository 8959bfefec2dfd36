import { resolve } from "node:path";
import { createActor } from "xstate";
import {
  createMemoryClaimStore,
  type FailureCode,
  InputError,
  type LoginActor,
  loginMachineOf,
  type ProviderDetail,
  resume,
  type Secret,
  secret,
} from "../../index.ts";
import { checkKeys } from "../../tokens/seal.ts";
import { commandOf } from "../command.ts";
import type { EndStatus } from "../exit-codes.ts";
import { fillIn } from "../login/credentials.ts";
import { type KnownCredentials, readCredentials, readCredentialsText } from "../login/credentials-file.ts";
import { reportEnd } from "../login/end.ts";
import { loginOptions, questionTimeout } from "../login/options.ts";
import { respondentOf } from "../login/respondent.ts";
import { drive } from "../login/run.ts";
import { takeToken } from "../login/token-file.ts";
import { watch } from "../pages/watching.ts";
import { checkWritable, firstLine, readText, standardInput } from "../settings/files.ts";
import { sealKeyOf } from "../settings/session-key.ts";
import { type Given, type Service, serviceOf, textOf } from "../settings/settings.ts";
import { askChoice, isTerminal } from "../terminal/prompts.ts";
import { spinnerOn } from "../terminal/spinner.ts";

export const login = commandOf({
  name: "login",
  description: "Log in to a bank",
  options: loginOptions,
  examples: [
    ["ventanilla login", "asks for everything, in a terminal"],
    ["ventanilla login test --credentials-from login.json --key-to session.key", "in a script"],
    ["pass bank | VENTANILLA_USERNAME=12345 ventanilla login test --password-stdin --json", "with a password manager"],
    [
      "ventanilla login test --credentials-from login.json --answer-command 'otp {field}'",
      "a program brings the one-time code",
    ],
    [
      "ventanilla login test --credentials-from login.json --pause-to paused.login",
      "stops at the question, sealed with VENTANILLA_SEAL_KEY",
    ],
    ["ventanilla login --resume paused.login", "goes on, in another terminal or on another machine"],
  ],
  run: ({ given, environment, signal }) => logIn(given, environment, signal),
});

async function logIn(given: Given, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<EndStatus> {
  const service = await serviceOf(given, environment, signal);
  const { client, output } = service;
  const known = await knownOf(given, environment, service);
  const sealKey = await sealKeyIfNeeded(given, environment, service);
  const timeout = questionTimeout(given);
  for (const name of ["key-to", "pause-to", "record"]) await checkWritable(`--${name}`, textOf(given, name));
  const path = textOf(given, "resume");
  const spinner = spinnerOn(process.stderr);
  service.nameHost();

  // Everything that can be wrong on this side is found before the first request, and before a file is used up.
  let begin: (inspect: Awaited<ReturnType<typeof watch>>["inspect"]) => Promise<LoginActor>;
  let provider = "";
  let detail: ProviderDetail | undefined;
  let take = async (): Promise<void> => {};
  if (path !== undefined) {
    // Whoever has the text has the login: only a file can be used up.
    if (path === "-")
      throw new InputError("invalid_input", { field: "--resume", detail: "must be a file, which is used up" });
    if (given["replace-session"] === true)
      throw new InputError("invalid_input", {
        field: "--replace-session",
        detail: "goes with the command that pauses",
      });
    const token = (await readText("--resume", path)).trim();
    take = () => takeToken(path);
    // What makes it good for one use here is its file, which is taken away just before the answer is sent: until then the
    // command can be interrupted and given again.
    const claimStore = createMemoryClaimStore();
    begin = async (inspect) =>
      resume(client, token, { key: sealKey as Secret, claimStore, ...(inspect && { inspect }) });
  } else {
    const chosen = textOf(given, "code") ?? known.provider ?? (await chooseProvider(service, signal));
    if (typeof chosen !== "string") return output.outcome(chosen.refused);
    provider = chosen;
    if (provider === "") return missing(service, ["CODE"]);
    spinner.show(output.text("loadingFields"));
    const answer = await client.getProvider(provider).finally(() => spinner.clear());
    if (answer.status !== "success") return output.outcome(answer.status, { provider, httpStatus: answer.httpStatus });
    detail = answer.provider;
    const credentials = await fillIn(provider, detail, known, { output, signal });
    if ("missing" in credentials) return missing(service, credentials.missing);
    begin = async (inspect) => {
      const settings = {
        answerTimeout: timeout,
        // Who takes a paused login up may choose.
        clientSelection: isTerminal() || clientOf(given, known) !== undefined || given["pause-to"] !== undefined,
        sessionReplacement: given["replace-session"] === true,
      };
      const actor = createActor(loginMachineOf(client), { input: settings, ...(inspect && { inspect }) });
      actor.start();
      actor.send({ type: "credentials.submit", credentials });
      return actor;
    };
  }

  const watching = await watch(given, environment, output);
  try {
    if (signal.aborted) return output.outcome("cancelled", { provider });
    const actor = await begin(watching.inspect);
    provider ||= actor.getSnapshot().context.provider;
    const pausing = textOf(given, "pause-to");
    const respondent = respondentOf({
      actor,
      known,
      detail,
      command: textOf(given, "answer-command"),
      client: clientOf(given, known),
      pausing: pausing === undefined || !sealKey ? undefined : { path: pausing, sealKey },
      provider,
      timeout,
      output,
      spinner,
      take,
      replace: async (written) => {
        if (path !== undefined && resolve(written) !== resolve(path)) await takeToken(path);
      },
    });
    try {
      const end = await drive(actor, { provider, detail, output, spinner, signal, respondent });
      return await reportEnd(end, { given, output, sealKey, audience: client.baseUrl, isInterrupted: signal.aborted });
    } finally {
      actor.stop();
    }
  } finally {
    await watching.end();
  }
}

/** What is known before anybody is asked: a credentials file, a password on standard input, the environment. */
async function knownOf(
  given: Given,
  environment: NodeJS.ProcessEnv,
  { checkCredential, output }: Service,
): Promise<KnownCredentials> {
  for (const name of ["credentials-from", "password-stdin", "answer-command"]) {
    if (given[name] !== undefined && given[name] !== false) checkCredential(`--${name}`);
  }
  const path = textOf(given, "credentials-from");
  const file: KnownCredentials =
    path === undefined
      ? { fields: {}, answers: {} }
      : readCredentials(await readCredentialsText("--credentials-from", path, output), "credentials");
  const username = environment["VENTANILLA_USERNAME"];
  if (username) checkCredential("VENTANILLA_USERNAME");
  const password = given["password-stdin"] === true ? firstLine(await standardInput()) : undefined;
  if (password === "") throw new InputError("missing_field", { field: "--password-stdin" });
  return {
    ...file,
    ...(username && !file.username && { username: secret(username) }),
    ...(password !== undefined && { password: secret(password) }),
  };
}

async function sealKeyIfNeeded(
  given: Given,
  environment: NodeJS.ProcessEnv,
  { host }: Service,
): Promise<Secret | undefined> {
  const isPausing = given["pause-to"] !== undefined || given["resume"] !== undefined;
  if (!isPausing && given["seal"] !== true) return undefined;
  if (isPausing && host === undefined) {
    const detail = "the embedded sandbox ends with this command; start ventanilla sandbox and set --base-url";
    throw new InputError("invalid_input", { field: given["resume"] === undefined ? "--pause-to" : "--resume", detail });
  }
  const key = await sealKeyOf(given, environment);
  checkKeys(key, "--seal-key-from");
  return key;
}

function clientOf(given: Given, known: KnownCredentials): string | undefined {
  return textOf(given, "client") ?? known.client;
}

async function chooseProvider(
  { client, output }: Service,
  signal: AbortSignal,
): Promise<string | { refused: FailureCode }> {
  if (!isTerminal()) return "";
  const spinner = spinnerOn(process.stderr);
  spinner.show(output.text("loadingProviders"));
  const answer = await client.listProviders().finally(() => spinner.clear());
  if (answer.status !== "success") return { refused: answer.status };
  const options = answer.providers.map(({ code, name, country }) => ({
    value: code,
    label: name,
    hint: `${code} ${country}`,
  }));
  return askChoice(output.text("chooseProvider"), options, { output, signal });
}

/** In a script: names all that is missing at once, and how to give it. */
function missing({ output }: Service, names: readonly string[]): EndStatus {
  const text = `${output.text("missing")}: ${names.join(", ")}.`;
  output.failure("missing_field", text, { missing: names });
  output.say(output.text("howToGive"));
  return "missing_field";
}
