import { randomBytes } from "node:crypto";
import { trimSlashes } from "../../core/api/base-url.ts";
import { createMemoryStore } from "../../core/tokens/memory-store.ts";
import { BankError, secret } from "../../index.ts";
import { RETENTION } from "../../servers/hosted/hosted-options.ts";
import { flag, option, parseNumber, parseSeconds } from "../cli/arguments.ts";
import type { CommandContext } from "../cli/command.ts";
import { openLocalLogins } from "../cli/serve/local-logins.ts";
import { pageOptions } from "../cli/serve/page-options.ts";
import { describeFault, type Log, logHosted } from "../cli/serve/serve-log.ts";
import { checkUrl, openSessionStore } from "../cli/serve/serve-settings.ts";
import { memoryOptions, openRefusals } from "../cli/settings/refusals.ts";
import { connectService, serviceOptions } from "../cli/settings/service-settings.ts";
import { readSealKeys, sealOptions } from "../cli/settings/session-key.ts";
import { findStore } from "../cli/settings/stores.ts";
import type { BankLoginsOptions } from "./bank-logins.ts";

// Standard output is reserved for the protocol.
const { json: _, ...ownServiceOptions } = serviceOptions;

export const mcpOptions = {
  serve: option("url", "Address of a ventanilla serve that makes the logins, with its key in VENTANILLA_SERVE_KEY"),
  store: option(
    "place",
    "Where logins outlive the process: folder:PATH, redis://… or postgres://… (VENTANILLA_STORE; default its memory)",
  ),
  port: option("number", "Port of the pages on this machine (default a free one); needed with --store"),
  "expires-in": option("seconds", "Seconds in which the person can begin and answer", { default: "900" }),
  "give-address": flag("Give the page's address to the assistant at once; don't ask the host to open it"),
  ...pageOptions,
  ...memoryOptions,
  ...sealOptions,
  ...ownServiceOptions,
} as const;

export type McpContext = CommandContext<typeof mcpOptions>;

interface OpenBackend extends Pick<BankLoginsOptions, "backend" | "url"> {
  /** Accepts no more logins, and finishes those that were begun. */
  close(): Promise<void>;
}

export async function readMcpSettings(context: McpContext, log: Log) {
  const { values, program, output } = context;
  // After a signal, the logins that were begun are finished.
  const { client } = await connectService({
    values: { ...values, json: false },
    output,
    program: { ...program, signal: new AbortController().signal },
  });
  const expiresIn = parseSeconds("--expires-in", values["expires-in"]);
  const place = findStore("--store", "VENTANILLA_STORE", values.store, program.environment);
  if (place !== undefined && values.serve === undefined && values.port === undefined) {
    throw new BankError("missing_field", { field: "--port", detail: "the addresses in the store have it" });
  }
  if (values.refusals !== undefined && values.serve !== undefined) {
    throw new BankError("invalid_input", { field: "--refusals", detail: "goes with the ventanilla serve" });
  }
  const served = values.serve === undefined ? undefined : await openServed(values.serve, context);
  const opened = place === undefined ? undefined : await openSessionStore(place);
  const store = opened?.store ?? createMemoryStore();
  const { backend, url, close } = served ?? (await openLocal());
  return {
    client,
    expiresIn,
    giveAddress: values["give-address"] ?? false,
    isInMemory: opened === undefined,
    logins: { backend, url, client, store } satisfies BankLoginsOptions,
    async close() {
      await close();
      await opened?.close();
    },
  };

  async function openLocal(): Promise<OpenBackend> {
    const port = parseNumber("--port", values.port ?? "0");
    // In memory they are sealed, too, with a key that is lost with the process.
    const sealKey =
      place === undefined ? randomBytes(32).toString("base64") : await readSealKeys(values, program, output);
    const clientSelection = values["client-selection"];
    const refusals = await openRefusals(context, (fault) => log("error", describeFault(fault)));
    const { hosted, url, drain } = await openLocalLogins({
      client,
      sealKey,
      store,
      port,
      clientSelection,
      // The handle names the recipient of the key, each time.
      keyRetention: RETENTION,
      ...(refusals.memory && { refusals: refusals.memory }),
      ...logHosted(log),
    });
    const close = async () => {
      await drain();
      await hosted.finish();
      await refusals.close();
    };
    return { backend: hosted, url, close };
  }
}

async function openServed(address: string, { program }: McpContext): Promise<OpenBackend> {
  const key = program.environment["VENTANILLA_SERVE_KEY"];
  if (!key) throw new BankError("missing_field", { field: "VENTANILLA_SERVE_KEY" });
  const url = trimSlashes(checkUrl("--serve", address));
  const { createServedLogins } = await import("./served-logins.ts");
  return { backend: createServedLogins({ url, key: secret(key) }), url, close: async () => {} };
}
