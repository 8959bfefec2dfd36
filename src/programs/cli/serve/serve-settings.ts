import { randomBytes } from "node:crypto";
import { createMemoryStore } from "../../../core/tokens/memory-store.ts";
import { BankError, type RefusalMemory } from "../../../index.ts";
import { toSafeUrl } from "../../../servers/hosted/hosted-options.ts";
import type { HostedLoginOptions } from "../../../servers/hosted/index.ts";
import { createRateLimit, type RateLimitOptions } from "../../../servers/relay/rate-limit.ts";
import {
  flag,
  group,
  type OptionValues,
  option,
  parseCount,
  parseNumber,
  parseSeconds,
  withVariables,
} from "../arguments.ts";
import type { CommandContext } from "../command.ts";
import { checkProxy } from "../settings/environment-proxy.ts";
import { readErrorCode, readSecretText, splitSecrets, toFileFault } from "../settings/private-files.ts";
import { memoryOptions, openRefusals } from "../settings/refusals.ts";
import { connectService, serverServiceOptions } from "../settings/service-settings.ts";
import { readSealKeys, sealOptions } from "../settings/session-key.ts";
import { findStore, openStore, readDatabaseWords } from "../settings/stores.ts";
import { commonOptions } from "../terminal/output.ts";
import { pageOptions } from "./page-options.ts";
import { createSessionWebhook } from "./session-webhook.ts";

/** Sessions in a minute for one user. */
const SESSION_LIMIT = 20;

const settings = withVariables({
  ...group("The port", {
    port: option(
      "number",
      "Port to listen on; 0 takes a free one (default 8080, or that of PORT, as platforms name it)",
    ),
    host: option("address", "Address of this machine to listen on; 0.0.0.0 in a container", { default: "127.0.0.1" }),
    metrics: option(
      "number",
      "Port that serves metrics for Prometheus at /metrics, for the network of your machines alone; docs/telemetry.md names its packages",
    ),
    "caller-header": option("name", "Header in which your proxy writes the caller's address, such as x-real-ip"),
    proxies: option("number", "How many of your proxies write into that header, one behind the other", {
      default: "1",
    }),
  }),
  ...group("The page", {
    url: option("url", "Address at which people reach the pages, with a path (default /login on this machine)"),
    name: option("name", "Name of your app, as people know it; the page shows it"),
    "return-to": option("origin", "Origin that a page may go back to; once for each", { multiple: true }),
    "logo-hosts": option("host", "Host of the banks' logos, beside the service's own; once for each", {
      multiple: true,
    }),
    "saved-logins": flag("Let browsers fill in and save the logins: only if the host of --url serves nothing else"),
    logout: flag(
      "Let the person close the sessions that are open at the bank, and close one whose key is not taken (beyond the contract)",
    ),
  }),
  ...pageOptions,
  ...group("Your back ends", {
    "serve-key-from": option(
      "file",
      "File with the keys that callers send, one in each line, with a name before it if there are several: shop:KEY (VENTANILLA_SERVE_KEY holds the keys themselves)",
    ),
    webhook: option("url", "Address that is told of each end, signed with VENTANILLA_WEBHOOK_SECRET"),
    "webhook-progress": flag("Tell --webhook of the steps on the way, too: opened, awaiting_interaction, refused"),
    "webhook-http": flag(
      "Accept an http address of --webhook beyond this machine: inside a cluster whose network you trust",
    ),
    "webhook-secret-from": option(
      "file",
      "File with the secrets that sign webhooks, one in each line (VENTANILLA_WEBHOOK_SECRET holds the secrets themselves)",
    ),
  }),
  ...group("The sessions", {
    "login-limit": option("number", "Logins in a minute for one caller, counted in the store", { default: "10" }),
    retention: option("seconds", "Seconds for which a session can be read after its expiry", { default: "86400" }),
    "interaction-lifetime": option("seconds", "Seconds in which an interaction can be answered", { default: "600" }),
  }),
  ...sealOptions,
  ...serverServiceOptions,
});

/** The options of serve. Each one is also a variable. */
export const serveOptions = {
  ...settings,
  // Their variables can hold a password. They are read where an option with one is refused.
  ...group("The sessions", {
    store: option(
      "place",
      "Where all instances keep the sessions: folder:PATH, redis://… or postgres://… (VENTANILLA_STORE; default the memory of the process)",
    ),
  }),
  ...memoryOptions,
  // What prints has begun before they are read.
  ...commonOptions,
} as const;

export type ServeContext = CommandContext<typeof serveOptions>;

/** The settings of a server, and what it has made for itself. */
export type ServeSettings = Awaited<ReturnType<typeof readServeSettings>>;

/** Checks all options before the port is opened. Keys are made only where the sandbox is used, and are printed. */
export async function readServeSettings(
  { values, program, output }: ServeContext,
  onRefusalsFault: NonNullable<RefusalMemory["onError"]>,
) {
  // A signal lets the logins that were begun come to their end.
  const service = await connectService({
    values,
    output,
    program: { ...program, signal: new AbortController().signal },
  });
  const isSandbox = service.host === undefined;
  const { environment } = program;
  const place = findStore("--store", "VENTANILLA_STORE", values.store, environment);
  const canMakeKeys = isSandbox && place === undefined;
  const read = async (name: "serve-key" | "webhook-secret", create: () => string) => {
    const variable = `VENTANILLA_${name.toUpperCase().replace("-", "_")}`;
    const file = values[`${name}-from`];
    const text =
      file === undefined ? environment[variable] : await readSecretText(`--${name}-from`, file, program, output);
    const texts = splitSecrets(text ?? "");
    if (texts.length === 0 && !canMakeKeys) throw new BankError("missing_field", { field: variable });
    return { texts: texts.length > 0 ? texts : [create()], made: texts.length === 0 };
  };
  const key = await read("serve-key", createKey);
  const keys = key.texts.map(parseServeKey);
  const hasSealKey = Boolean(values["seal-key-from"] ?? environment["VENTANILLA_SEAL_KEY"]);
  const sealKey = hasSealKey || !canMakeKeys ? await readSealKeys(values, program, output) : createKey("base64");
  const secret = values.webhook === undefined ? undefined : await read("webhook-secret", createWebhookSecret);
  if (values.name === undefined && !isSandbox) throw new BankError("missing_field", { field: "--name" });
  const port = parseNumber("--port", values.port ?? (environment["PORT"] || "8080"));
  const times = {
    retention: parseSeconds("--retention", values.retention),
    interactionLifetime: parseSeconds("--interaction-lifetime", values["interaction-lifetime"]),
  };
  const loginLimit = parseCount("--login-limit", values["login-limit"]);
  if (/^\w+:\/\/[^/]*\/sessions(\/|$)/.test(values.url ?? "")) {
    throw new BankError("invalid_input", { field: "--url", detail: "must have another path than the API's /sessions" });
  }
  const webhook =
    values.webhook === undefined || !secret
      ? undefined
      : createSessionWebhook({
          url: values["webhook-http"] ? checkHttp("--webhook", values.webhook) : checkUrl("--webhook", values.webhook),
          secrets: secret.texts,
        });
  if (webhook && values.webhook !== undefined) checkProxy(values.webhook, environment);
  const opened = place === undefined ? undefined : await openSessionStore(place);
  const refusals = await openRefusals({ values, program, output }, onRefusalsFault);
  const store = opened?.store ?? createMemoryStore();
  const createLimit = (limit: RateLimitOptions) =>
    createRateLimit({ ...limit, ...(opened && { store, key: sealKey }) });
  return {
    service,
    port,
    host: values.host,
    keys,
    made: { key: key.made ? key.texts[0] : undefined, webhookSecret: secret?.made ? secret.texts[0] : undefined },
    webhook,
    tellsProgress: values["webhook-progress"],
    isSandbox,
    /** How often a session may be made for a user: more are made by a loop, or by a page that makes one for each click. */
    sessionLimit: createLimit({ login: SESSION_LIMIT }),
    isInMemory: opened === undefined,
    async close() {
      await opened?.close();
      await refusals.close();
    },
    /** The options of the hosted login that are known before the server listens. */
    hosted: {
      client: service.client,
      sealKey,
      store,
      name: values.name ?? "ventanilla",
      returnTo: values["return-to"],
      logoHosts: values["logo-hosts"],
      clientSelection: values["client-selection"],
      logout: values.logout,
      rateLimit: createLimit({ login: loginLimit }),
      ...times,
      savedLogins: values["saved-logins"],
      ...(refusals.memory && { refusals: refusals.memory }),
      ...readCallerFrom(values),
    } satisfies Partial<HostedLoginOptions>,
  };
}

/** A key that callers send, and its name, which the log shows. */
export interface ServeKey {
  readonly name: string;
  readonly text: string;
}

function parseServeKey(written: string): ServeKey {
  const [, name = "", text = ""] = /^(?:([a-z][\w-]*):)?([\x21-\x7e]*)$/i.exec(written) ?? [];
  if (text.length >= 16) return { name, text };
  const detail = "must be at least 16 characters of ASCII, such as those of openssl rand -hex 32";
  throw new BankError("invalid_input", { field: "VENTANILLA_SERVE_KEY", detail });
}

const createKey = (encoding: "hex" | "base64" = "hex") => randomBytes(32).toString(encoding);
const createWebhookSecret = () => `whsec_${createKey("base64")}`;

/** Behind a proxy each connection is the proxy's. */
function readCallerFrom(values: OptionValues<typeof serveOptions>): Pick<HostedLoginOptions, "readCaller"> {
  const header = values["caller-header"];
  if (header === undefined) return {};
  if (!/^[\w-]+$/.test(header)) {
    throw new BankError("invalid_input", { field: "--caller-header", detail: "must be the name of a header" });
  }
  const proxies = parseCount("--proxies", values.proxies);
  // Each proxy adds the address that it sees. What comes before those is what the caller has written.
  return { readCaller: ({ headers }) => headers.get(header)?.split(",").at(-proxies)?.trim() || undefined };
}

/** Checks an address that keys are sent to. */
export function checkUrl(option: string, text: string): string {
  if (toSafeUrl(text)) return text;
  throw new BankError("invalid_input", { field: option, detail: "must be an https address, or http on this machine" });
}

function checkHttp(option: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new BankError("invalid_input", { field: option, detail: "must be an http or https address" });
}

/** Opens the store, and fails here, and not at the first session, where it can't be used. */
export async function openSessionStore(place: string) {
  const toFault = (error: unknown) => {
    const fault = toFileFault("--store", error);
    const said = readDatabaseWords(error);
    if (said === undefined) return fault;
    const detail = [readErrorCode(error), said].filter((part) => part !== undefined).join(": ");
    return new BankError(fault.code, { field: "--store", detail });
  };
  const opened = await openStore("--store", place).catch((error: unknown) => {
    throw toFault(error);
  });
  try {
    await opened.store.swap(`serve-${createKey()}`, undefined, "", 1000);
    await opened.store.list("due:", 1);
  } catch (error) {
    await opened.close();
    throw toFault(error);
  }
  return opened;
}
