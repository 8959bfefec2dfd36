import { credentialFields } from "../../../core/login/form-fields.ts";
import type { LoginHandlers } from "../../../core/login/handlers.ts";
import { formTexts } from "../../../core/texts/languages.ts";
import {
  type CredentialTexts,
  type FailureCode,
  type LoginOutcome,
  login,
  type ProviderDetail,
  type RefusalMemory,
  rememberRefusals,
  type Secret,
  secret,
} from "../../../index.ts";
import type { CommandResult } from "../exit-codes.ts";
import type { Service } from "../settings/service-settings.ts";
import { formatAccount } from "../terminal/account-lines.ts";
import { paint } from "../terminal/output.ts";
import type { LoginSettings } from "./login-settings.ts";
import type { PreparedLogin } from "./prepared-login.ts";

interface FilledIn extends CredentialTexts {
  readonly username: Secret;
  readonly password: Secret;
  readonly fields: Readonly<Record<string, Secret>>;
}

/** Prepares a login at a bank, with its form filled in. If that is not possible, it reports the reason and returns its code. */
export async function prepareNewLogin(
  settings: LoginSettings,
  refusals: RefusalMemory | undefined,
): Promise<PreparedLogin | CommandResult> {
  const { values, service, known, client: chosenClient, timeout, spinner } = settings;
  const { client, output, prompts } = service;
  const provider = settings.provider ?? known.provider ?? (await chooseProvider(settings));
  if (typeof provider !== "string") return output.outcome(provider.refused);
  if (provider === "") return reportMissing(service, ["CODE"]);
  spinner.show(output.text("loadingFields"));
  const response = await client.getProvider(provider).finally(() => spinner.clear());
  if (response.status !== "success") {
    return output.outcome(response.status, { provider, httpStatus: response.httpStatus });
  }
  const detail = response.provider;
  if (prompts.isAvailable && !(known.username && known.password)) offerAccounts(service, provider);
  const filled = await fillIn(provider, detail, settings);
  if ("missing" in filled) return reportMissing(service, filled.missing);
  const behaviour = {
    answerTimeout: timeout,
    // A paused login can wait for the choice of a client too.
    clientSelection: prompts.isAvailable || chosenClient !== undefined || values["pause-to"] !== undefined,
    sessionReplacement: values["replace-session"],
  };
  // A stored password would be wrong again.
  const canTryAgain = !output.json && prompts.isAvailable && !known.password;
  /** @param shown when the bank refused the form that the person was warned about. Typing it again overrides the warning. */
  const start = async (
    handlers: LoginHandlers,
    credentials: FilledIn = filled,
    shown?: number,
  ): Promise<LoginOutcome> => {
    const send = (ignoreKnownRefusal: boolean) => {
      const careful = refusals ? rememberRefusals(client, refusals, { ignoreKnownRefusal }) : client;
      return login(careful, credentials, { ...handlers, settings: behaviour });
    };
    let outcome = await send(values["ignore-known-refusal"]);
    if (shown !== undefined && outcome.state === "failed" && outcome.failure.refusedAt === shown) {
      outcome = await send(true);
    }
    const { code, refusedAt } = outcome.state === "failed" ? outcome.failure : {};
    if (!canTryAgain || (code !== "wrong_credentials" && code !== "known_wrong")) return outcome;
    output.say(paint("yellow", output.failureText({ code })));
    if (code === "known_wrong") output.say(paint("yellow", formTexts({ locale: output.locale }).sendAnyway));
    if (!(await prompts.confirm(output.text("tryAgain")))) return outcome;
    const typed = await fillIn(provider, detail, settings, credentials);
    return "missing" in typed ? outcome : start(handlers, typed, refusedAt);
  };
  return { provider, detail, start: (handlers) => start(handlers), consumeFile: async () => {} };
}

async function chooseProvider({
  service,
  spinner,
}: LoginSettings): Promise<string | { readonly refused: FailureCode }> {
  const { client, output, prompts } = service;
  if (!prompts.isAvailable) return "";
  spinner.show(output.text("loadingProviders"));
  const response = await client.listProviders().finally(() => spinner.clear());
  if (response.status !== "success") return { refused: response.status };
  const options = response.providers.map(({ code, name, country }) => ({
    value: code,
    label: name,
    hint: `${code} ${country}`,
    country,
  }));
  return prompts.choose(output.text("chooseProvider"), options);
}

function offerAccounts({ accounts, output }: Service, provider: string): void {
  const offered = accounts.filter((account) => account.provider === provider);
  if (offered.length > 0) output.say(output.text("accounts"));
  for (const line of offered.flatMap((account) => formatAccount(account, output))) output.say(paint("dim", line));
}

/**
 * Fills in the bank's form from the credentials and by asking the person. In a script it returns the names of missing fields.
 *
 * @param before what was refused: the person can keep all fields but the password.
 */
async function fillIn(
  provider: string,
  detail: ProviderDetail,
  settings: LoginSettings,
  before?: FilledIn,
): Promise<FilledIn | { readonly missing: readonly string[] }> {
  const { known, service } = settings;
  const { output, prompts } = service;
  const values = new Map<string, Secret>(Object.entries(known.fields));
  if (known.username) values.set("username", known.username);
  if (known.password) values.set("password", known.password);
  const missing: string[] = [];
  for (const field of credentialFields(detail, output)) {
    const { name, required, initial } = field;
    const isAsked = prompts.isAvailable && !values.has(name);
    const value = isAsked
      ? await prompts.askField(field, { kept: field.input === "text" ? findTyped(name, before) : undefined })
      : (values.get(name) ?? (required && initial ? secret(initial) : undefined));
    if (value) values.set(name, value);
    else if (required) missing.push(name);
  }
  const { username, password, ...fields } = Object.fromEntries(values);
  if (missing.length > 0 || !username || !password) return { missing };
  return { provider, username, password, fields };
}

const findTyped = (name: string, before: FilledIn | undefined): Secret | undefined =>
  name === "username" ? before?.username : before?.fields[name];

/** Names all missing values at once, and how to give them in a script. */
function reportMissing({ output }: Service, names: readonly string[]): CommandResult {
  const text = `${output.text("missing")}: ${names.join(", ")}.`;
  output.failure("missing_field", text, { missing: names });
  output.say(output.text("howToGive"));
  return "missing_field";
}
