import { setMaxListeners } from "node:events";
import { pathToFileURL } from "node:url";
import { type BankClient, type BankClientOptions, BankError, createBankClient } from "../../../index.ts";
import type { SandboxAccount } from "../../../tools/sandbox/index.ts";
import { flag, group, type OptionValues, option, parseSeconds } from "../arguments.ts";
import type { CommandContext } from "../command.ts";
import { commonOptions, type Output, paint } from "../terminal/output.ts";
import { Prompts } from "../terminal/prompts.ts";
import { type Config, findConfig, readConfig } from "./config-file.ts";
import { checkProxy } from "./environment-proxy.ts";
import { firstLine, readSecretText, toFileFault, warnIfReadable } from "./private-files.ts";

export const serviceOptions = {
  ...group("The service", {
    "base-url": option("url", "Address of the service (VENTANILLA_BASE_URL)"),
    service: option("file", "JavaScript module for a service with another API: its default export is a client"),
    "allow-http": flag("Accept an http address beyond this machine, where others on the way read keys and passwords"),
    "api-key-from": option(
      "file",
      "File with the API key, - for standard input (VENTANILLA_API_KEY holds the key itself)",
    ),
    "session-key-in": option(
      "place",
      "Where session keys travel: query or header (VENTANILLA_SESSION_KEY_IN); query is the contract",
      { choices: ["query", "header"] },
    ),
    timeout: option("seconds", "Seconds until a request times out: 90 for a login, 15 for a read"),
    verbose: flag("Say each request and response on standard error: address and HTTP code, without secrets"),
    config: option("file", "Config file, JSON (default ventanilla/config.json in $XDG_CONFIG_HOME or ~/.config)"),
  }),
  ...commonOptions,
} as const;

const { config: _, ...withoutConfig } = serviceOptions;

/** The same of a command that reads no config file. */
export const serverServiceOptions = withoutConfig;

export type ServiceContext = Pick<CommandContext<typeof serverServiceOptions>, "program" | "output"> & {
  readonly values: OptionValues<typeof serverServiceOptions> & { readonly config?: string | undefined };
};

export interface Service {
  readonly client: BankClient;
  readonly output: Output;
  readonly prompts: Prompts;
  /** The service's host, for people; `undefined` for the embedded sandbox. */
  readonly host: string | undefined;
  /** The users of the embedded sandbox; none of a service. */
  readonly accounts: readonly SandboxAccount[];
  /** Prints the host of a login before anything is typed or sent. Not in a script with `--json`. */
  nameHost(): void;
}

/** Connects to the service of the options, the environment or the config file, in this order. Without one it embeds the sandbox. */
export async function connectService(context: ServiceContext): Promise<Service> {
  const { values, program, output } = context;
  const { environment } = program;
  // Each running request listens to it. Node would warn of a leak, in a line that is not JSON.
  setMaxListeners(0, program.signal);
  if (values.service !== undefined) return connectModule(values.service, context);
  const path = "config" in values ? (values.config ?? findConfig(environment)) : undefined;
  const config: Config = path === undefined ? {} : await readConfig(path, program);
  output.configured = config.locale;
  const prompts = new Prompts(program, output);
  if (path !== undefined && config.apiKey !== undefined) warnIfReadable(path, output);
  const keyFile = values["api-key-from"];
  // An empty variable counts as none.
  const baseUrl = values["base-url"] ?? (environment["VENTANILLA_BASE_URL"] || config.baseUrl);
  const apiKey =
    keyFile === undefined
      ? environment["VENTANILLA_API_KEY"] || config.apiKey
      : firstLine(await readSecretText("--api-key-from", keyFile, program, output));
  const clientOptions = readClientOptions(context, config);
  if (baseUrl === undefined && apiKey === undefined) {
    output.say(paint("dim", output.text("sandbox")));
    return embedSandbox(clientOptions, { output, prompts });
  }
  const hasConfig = "config" in values;
  if (baseUrl === undefined) throw createMissingFault("baseUrl", ["--base-url", "VENTANILLA_BASE_URL"], hasConfig);
  if (apiKey === undefined) throw createMissingFault("apiKey", ["--api-key-from", "VENTANILLA_API_KEY"], hasConfig);
  return toService(createBankClient({ baseUrl, apiKey, ...clientOptions }), context, prompts);
}

/** The service that a module of the user's speaks to. Never from a config file: the module runs as the user. */
async function connectModule(path: string, context: ServiceContext): Promise<Service> {
  const { program, output } = context;
  const { default: client } = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw toFileFault("--service", error);
  });
  if (typeof client?.login !== "function") {
    throw new BankError("invalid_input", { field: "--service", detail: "must have a client as its default export" });
  }
  return toService(client, context, new Prompts(program, output));
}

function toService(client: BankClient, { values, output, program }: ServiceContext, prompts: Prompts): Service {
  if (!values["allow-http"]) checkEncryption(client.baseUrl);
  // A module brings its own way.
  if (values.service === undefined) checkProxy(client.baseUrl, program.environment);
  const { host } = new URL(client.baseUrl);
  return {
    client,
    output,
    prompts,
    host,
    accounts: [],
    nameHost() {
      if (prompts.isAvailable || !output.json) output.say(`${output.text("loggingInAt")} ${host}`);
    },
  };
}

/** Refuses to send a key or a password in the clear to another machine. */
export function checkEncryption(address: string): void {
  const { protocol, hostname } = new URL(address);
  // `URL` has normalized the address: 127.1 is 127.0.0.1.
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "http:" || isLoopback) return;
  throw new BankError("invalid_input", { field: "baseUrl", detail: "is not encrypted: use https, or --allow-http" });
}

function readClientOptions(
  { values, output, program: { environment, signal } }: ServiceContext,
  config: Config,
): Omit<BankClientOptions, "baseUrl" | "apiKey"> {
  const sessionKeyIn = values["session-key-in"] ?? (environment["VENTANILLA_SESSION_KEY_IN"] || config.sessionKeyIn);
  const milliseconds = values.timeout === undefined ? undefined : parseSeconds("--timeout", values.timeout);
  return {
    signal,
    // The client checks a text of the environment, by name.
    ...(sessionKeyIn !== undefined && { sessionKeyIn: sessionKeyIn as "query" | "header" }),
    timeout: milliseconds === undefined ? (config.timeout ?? {}) : { login: milliseconds, read: milliseconds },
    ...(values.verbose && {
      onRequest: ({ method, url, attempt }) => output.say(paint("dim", `> ${method} ${url} (${attempt})`)),
      onResponse: ({ method, url, httpStatus, duration }) =>
        output.say(paint("dim", `< ${httpStatus} ${method} ${url} (${Math.round(duration)} ms)`)),
    }),
  };
}

async function embedSandbox(
  clientOptions: Omit<BankClientOptions, "baseUrl" | "apiKey">,
  person: Pick<Service, "output" | "prompts">,
): Promise<Service> {
  // Loaded only here, because most commands speak to a service.
  const { createSandbox, SANDBOX_API_KEY, sandboxAccounts } = await import("../../../tools/sandbox/index.ts");
  const sandbox = createSandbox();
  const client = createBankClient({
    baseUrl: "http://sandbox",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => sandbox(new Request(input, init)),
    ...clientOptions,
  });
  return { ...person, client, host: undefined, accounts: sandboxAccounts, nameHost() {} };
}

function createMissingFault(field: string, ways: readonly string[], hasConfig: boolean): BankError {
  const all = [...ways, ...(hasConfig ? [`${field} in the config file`] : [])];
  const listed = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(all);
  return new BankError("missing_field", { field, detail: `give ${listed}` });
}
