import { resolve } from "node:path";
import {
  BankError,
  type CredentialTexts,
  createMemoryClaimStore,
  type FailureCode,
  failureText,
  InputError,
  type LoginHandlers,
  type LoginOutcome,
  login as logInAt,
  loginView,
  type OpenOutcome,
  type ProviderDetail,
  resume,
  type Secret,
  secret,
} from "../../index.ts";
import { checkKeys } from "../../tokens/sealed-token.ts";
import { commandOf } from "../command.ts";
import type { EndStatus } from "../exit-codes.ts";
import { fillIn } from "../login/credentials.ts";
import { type KnownCredentials, readCredentials, readCredentialsText } from "../login/credentials-file.ts";
import { type LoginEnd, reportEnd } from "../login/end.ts";
import { handlersOf } from "../login/handlers.ts";
import { loginOptions, questionTimeout } from "../login/options.ts";
import { takeToken } from "../login/token-file.ts";
import { watch } from "../pages/watching.ts";
import { checkWritable, firstLine, readText, standardInput, writePrivate } from "../settings/files.ts";
import { sealKeyOf } from "../settings/session-key.ts";
import { type Given, type Service, serviceOf, textOf } from "../settings/settings.ts";
import { accountLines } from "../terminal/accounts.ts";
import { Interruption } from "../terminal/interruption.ts";
import { type Output, paint } from "../terminal/output.ts";
import { askChoice, askWhether, isTerminal } from "../terminal/prompts.ts";
import { spinnerOn } from "../terminal/spinner.ts";

export const login = commandOf({
  name: "login",
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
  run: ({ given, environment, signal }) => logIn(given, environment, signal),
});

/** Logs in as the options say, and reports the end. */
export async function logIn(given: Given, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<EndStatus> {
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
  const pausing = textOf(given, "pause-to");
  let begin: (handlers: LoginHandlers) => Promise<LoginOutcome>;
  let provider = "";
  let detail: ProviderDetail | undefined;
  let form: CredentialTexts | undefined;
  let isTaken = path === undefined;
  const take = async (): Promise<void> => {
    if (!isTaken && path !== undefined) await takeToken(path);
    isTaken = true;
  };
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
    // What makes it good for one use here is its file, which is taken away just before the answer is sent: until then the
    // command can be interrupted and given again.
    const claimStore = createMemoryClaimStore();
    begin = (handlers) => resume(client, token, { key: sealKey as Secret, claimStore, ...handlers });
  } else {
    const chosen = textOf(given, "code") ?? known.provider ?? (await chooseProvider(service, signal));
    if (typeof chosen !== "string") return output.outcome(chosen.refused);
    provider = chosen;
    if (provider === "") return missing(service, ["CODE"]);
    spinner.show(output.text("loadingFields"));
    const answer = await client.getProvider(provider).finally(() => spinner.clear());
    if (answer.status !== "success") return output.outcome(answer.status, { provider, httpStatus: answer.httpStatus });
    detail = answer.provider;
    if (isTerminal() && !(known.username && known.password)) offerAccounts(service, provider);
    const filled = await fillIn(provider, detail, known, { output, signal });
    if ("missing" in filled) return missing(service, filled.missing);
    form = filled;
    begin = (handlers) =>
      logInAt(client, {
        ...(form ?? filled),
        ...handlers,
        answerTimeout: timeout,
        // Who takes a paused login up may choose.
        clientSelection: isTerminal() || clientOf(given, known) !== undefined || pausing !== undefined,
        sessionReplacement: given["replace-session"] === true,
      });
  }

  const watching = await watch(given, environment, output);
  const handlers: LoginHandlers = {
    ...handlersOf({
      known,
      detail,
      command: textOf(given, "answer-command"),
      client: clientOf(given, known),
      isPausing: pausing !== undefined,
      timeout,
      output,
      spinner,
      environment,
      take,
    }),
    signal,
    ...(watching.inspect && { inspect: watching.inspect }),
  };
  try {
    let end = await endOf(begin(handlers), provider);
    while (end.status === "wrong_credentials" && detail) {
      form = await tryAgain(provider, detail, known, { output, signal });
      if (!form) break;
      end = await endOf(begin(handlers), provider);
    }
    const reporting = { given, output, sealKey, audience: client.baseUrl, isInterrupted: signal.aborted };
    if (!("pause" in end)) return await reportEnd(end, reporting);
    const open = { ...end, question: questionIn(end, detail, output) };
    if (pausing === undefined || !sealKey) {
      const status = await reportEnd(open, reporting);
      await end.cancel();
      return status;
    }
    const token = await end.pause({ key: sealKey, sealTtl: timeout });
    await writePrivate("--pause-to", pausing, `${token}\n`);
    // One login, one file: what it was taken up from is used up, unless an answer did that already.
    if (path !== undefined && resolve(pausing) !== resolve(path)) await take();
    return await reportEnd({ ...open, key: undefined, status: "paused" }, reporting);
  } finally {
    await watching.end();
  }
}

/** What the bank asks, in words: over a picture stands a text of ours. */
function questionIn(
  { actor, provider }: OpenOutcome,
  detail: ProviderDetail | undefined,
  { locale }: Output,
): string | undefined {
  const view = loginView(actor.getSnapshot(), actor.send, { provider, detail, locale });
  return view.step === "answering" ? view.question.text : undefined;
}

/** How a login ended: its outcome, or the fault that ended it. */
async function endOf(outcome: Promise<LoginOutcome>, provider: string): Promise<LoginOutcome | LoginEnd> {
  return outcome.catch((error: unknown): LoginEnd => {
    if (error instanceof Interruption || !(error instanceof BankError)) throw error;
    return { status: error.code, provider: provider || undefined, httpStatus: error.httpStatus, fault: error };
  });
}

/** Asks for the credentials anew, where the bank did not take them. */
async function tryAgain(
  provider: string,
  detail: ProviderDetail,
  known: KnownCredentials,
  { output, signal }: { output: Output; signal: AbortSignal },
): Promise<CredentialTexts | undefined> {
  // What was stored is wrong as it stands, and nobody types it in anew.
  if (output.json || !isTerminal() || known.password) return undefined;
  output.say(paint("yellow", failureText("wrong_credentials", output.locale)));
  if (!(await askWhether(output.text("tryAgain"), signal))) return undefined;
  const filled = await fillIn(provider, detail, known, { output, signal });
  return "missing" in filled ? undefined : filled;
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

/** What can be typed in where the embedded sandbox answers. */
function offerAccounts({ accounts, output }: Service, provider: string): void {
  const offered = accounts.filter((account) => account.provider === provider);
  if (offered.length > 0) output.say(output.text("accounts"));
  for (const line of offered.flatMap((account) => accountLines(account, output))) output.say(paint("dim", line));
}

/** In a script: names all that is missing at once, and how to give it. */
function missing({ output }: Service, names: readonly string[]): EndStatus {
  const text = `${output.text("missing")}: ${names.join(", ")}.`;
  output.failure("missing_field", text, { missing: names });
  output.say(output.text("howToGive"));
  return "missing_field";
}
