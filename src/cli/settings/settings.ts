import { type BankClient, createBankClient, InputError, type Locale } from "../../index.ts";
import type { SandboxAccount } from "../../sandbox/index.ts";
import { Output, paint } from "../terminal/output.ts";
import { isTerminal } from "../terminal/prompts.ts";
import { localeIn, texts } from "../terminal/texts.ts";
import { type Config, findConfig, readConfig } from "./config-file.ts";
import { firstLine, isReadableByOthers, readText } from "./files.ts";
import { CREDENTIALS, checkEncryption, checkTrust, type Source, sources } from "./trust.ts";

/** The options of every command that speaks to the service. */
export const serviceOptions = {
  "base-url": { type: "string", description: "Address of the service (VENTANILLA_BASE_URL)", valueHint: "url" },
  "allow-http": {
    type: "boolean",
    description: "Accept an http address beyond this machine, where others on the way read keys and passwords",
  },
  "api-key-from": {
    type: "string",
    description: "File with the API key, - for standard input (VENTANILLA_API_KEY holds the key itself)",
    valueHint: "file",
  },
  "session-key-in": {
    type: "string",
    description: "Where session keys travel: query or header (VENTANILLA_SESSION_KEY_IN); query is the contract",
    valueHint: "place",
  },
  timeout: {
    type: "string",
    description: "Seconds until a request is given up: 90 for a login, 15 for a read",
    valueHint: "seconds",
  },
  config: { type: "string", description: "Config file, JSON (default ventanilla.config.json)", valueHint: "file" },
} as const;

/** The options of every command. */
export const commonOptions = {
  json: { type: "boolean", description: "One JSON object per line on standard output, and nothing else" },
  locale: { type: "string", description: "en, es or pt (VENTANILLA_LOCALE, LANG)", valueHint: "language" },
} as const;

/** The values that a command was given. */
export type Given = Readonly<Record<string, unknown>>;

/** A value of an option that takes one. */
export function textOf(given: Given, name: string): string | undefined {
  const value = given[name];
  return typeof value === "string" ? value : undefined;
}

/** A number of an option, as it is typed. */
export function numberOf(given: Given, name: string, { least = 0 }: { least?: number } = {}): number | undefined {
  const text = textOf(given, name);
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least)) {
    throw new InputError("invalid_input", { field: `--${name}`, detail: `must be a number from ${least} on` });
  }
  return value;
}

/** The language and the form of what is printed; a wrong `--locale` shows later, in English. */
export function outputOf(given: Given, environment: NodeJS.ProcessEnv): Output {
  const candidates = [textOf(given, "locale"), environment["VENTANILLA_LOCALE"]];
  const system = [environment["LC_ALL"], environment["LC_MESSAGES"], environment["LANG"]].find((value) => value);
  return new Output({
    locale: [...candidates, system].map(localeIn).find((locale) => locale !== undefined) ?? "en",
    json: given["json"] === true,
  });
}

/** A client with what it needs to speak for itself. */
export interface Service {
  readonly client: BankClient;
  readonly output: Output;
  /** The service's host, for people; without one, the embedded sandbox answers. */
  readonly host: string | undefined;
  /** The users of the embedded sandbox; none where a service answers. */
  readonly accounts: readonly SandboxAccount[];
  /** Tells people where a login goes, before anything is typed or sent. A script with `--json` knows. */
  nameHost(): void;
  /**
   * Refuses a credential that did not come from a prompt where the address is the current folder's.
   *
   * @throws {BankError} `untrusted_address`; `field` says how the credential was given.
   */
  checkCredential(field: string): void;
}

/** A value, and where it comes from. */
interface Setting {
  readonly value: string;
  readonly source: Source;
}

/**
 * The service that the flags, the environment or a config file name, in this order; without any, the embedded sandbox,
 * and it says so.
 *
 * @throws {InputError} naming the setting that is missing or can't be used.
 * @throws {BankError} `untrusted_address` for an API key from a more trusted source than the address; `insecure_address`.
 */
export async function serviceOf(given: Given, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Service> {
  checkLocale(textOf(given, "locale"), "--locale");
  const file = findConfig(textOf(given, "config"), environment);
  const config: Config = file === undefined ? {} : await readConfig(file.path);
  const chosen = outputOf(given, environment);
  const isNamed = textOf(given, "locale") ?? environment["VENTANILLA_LOCALE"];
  const locale: Locale = isNamed ? chosen.locale : (config.locale ?? chosen.locale);
  const output = new Output({ locale, json: chosen.json });
  if (file !== undefined && config.apiKey !== undefined && isReadableByOthers(file.path)) {
    output.say(`${output.text("readableByOthers")} ${file.path}`);
  }

  const keyFile = textOf(given, "api-key-from");
  const key = keyFile === undefined ? undefined : firstLine(await readText("--api-key-from", keyFile));
  const configured = file?.source ?? "config";
  const address = firstOf({
    option: textOf(given, "base-url"),
    environment: environment["VENTANILLA_BASE_URL"],
    [configured]: config.baseUrl,
  });
  const apiKey = firstOf({ option: key, environment: environment["VENTANILLA_API_KEY"], [configured]: config.apiKey });
  if (address === undefined && apiKey !== undefined) {
    const detail = "give --base-url, VENTANILLA_BASE_URL or baseUrl in the config file";
    throw new InputError("missing_field", { field: "baseUrl", detail });
  }
  if (address !== undefined && apiKey === undefined) {
    const detail = "give --api-key-from, VENTANILLA_API_KEY or apiKey in the config file";
    throw new InputError("missing_field", { field: "apiKey", detail });
  }

  const seconds = numberOf(given, "timeout", { least: 0.001 });
  const sessionKeyIn =
    textOf(given, "session-key-in") ?? (environment["VENTANILLA_SESSION_KEY_IN"] || config.sessionKeyIn);
  const options = {
    signal,
    // The client checks it, by name.
    ...(sessionKeyIn !== undefined && { sessionKeyIn: sessionKeyIn as "query" | "header" }),
    timeout: seconds === undefined ? timeoutOf(config) : { login: seconds * 1000, read: seconds * 1000 },
  };
  if (address !== undefined && apiKey !== undefined) {
    const client = createBankClient({ baseUrl: address.value, apiKey: apiKey.value, ...options });
    checkTrust(address.source, { field: apiKeyNames[apiKey.source], source: apiKey.source });
    if (given["allow-http"] !== true) checkEncryption(client.baseUrl, address.source);
    const { host } = new URL(client.baseUrl);
    return {
      client,
      output,
      host,
      accounts: [],
      nameHost() {
        const origin = address.source === "folder" ? ` (${output.text("addressOfFolder")})` : "";
        if (isTerminal() || !output.json) output.say(`${output.text("loggingInAt")} ${host}${origin}`);
      },
      checkCredential: (field) => checkTrust(address.source, { field, source: CREDENTIALS }),
    };
  }
  output.say(paint("dim", texts.sandbox[locale]));
  // Loaded where it is needed: most commands speak to a service.
  const { createSandbox, SANDBOX_API_KEY, sandboxAccounts } = await import("../../sandbox/index.ts");
  const sandbox = createSandbox();
  const client = createBankClient({
    baseUrl: "http://sandbox",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => sandbox(new Request(input, init)),
    ...options,
  });
  const nothing = () => {};
  return { client, output, host: undefined, accounts: sandboxAccounts, nameHost: nothing, checkCredential: nothing };
}

const apiKeyNames: Readonly<Record<Source, string>> = {
  option: "--api-key-from",
  environment: "VENTANILLA_API_KEY",
  config: "config.apiKey",
  folder: "config.apiKey",
};

/** The first setting that is there; an empty variable is none. */
function firstOf(values: { readonly [From in Source]?: string | undefined }): Setting | undefined {
  for (const source of sources) {
    const value = values[source];
    if (value !== undefined && !(source === "environment" && value === "")) return { value, source };
  }
  return undefined;
}

function timeoutOf({ timeout }: Config): { login?: number; read?: number } {
  return {
    ...(timeout?.login !== undefined && { login: timeout.login }),
    ...(timeout?.read !== undefined && { read: timeout.read }),
  };
}

function checkLocale(text: string | undefined, field: string): void {
  if (text !== undefined && !["en", "es", "pt"].includes(text)) {
    throw new InputError("invalid_input", { field, detail: "must be en, es or pt" });
  }
}
