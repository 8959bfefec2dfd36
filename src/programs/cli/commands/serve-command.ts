import { once } from "node:events";
import { BankError } from "../../../index.ts";
import {
  createHostedLogin,
  type HostedEnd,
  type HostedLogin,
  type HostedLoginOptions,
  type HostedProgress,
} from "../../../servers/hosted/index.ts";
import { createCallerReader, readCallerAddress } from "../../../servers/relay/caller-address.ts";
import { defineCommand } from "../command.ts";
import { listenOnPort } from "../local-pages.ts";
import { findTelemetry, openMetrics, type RegisteredTelemetry } from "../registered-telemetry.ts";
import { createDrainingServer } from "../serve/draining-server.ts";
import { createReadiness } from "../serve/readiness.ts";
import { createLog, describeFault, type Log, logHosted } from "../serve/serve-log.ts";
import { readServeSettings, type ServeContext, type ServeSettings, serveOptions } from "../serve/serve-settings.ts";
import { createSessionsApi } from "../serve/sessions-api.ts";
import { type Output, paint } from "../terminal/output.ts";

// A hosted login repeats a failed `onEnd` a minute later.
const SWEEP = 60_000;

const CALLERS_UNKNOWN =
  "There is a proxy in front of the server, so all people share one rate limit: --caller-header names the header with the caller's address.";

export const serve = defineCommand({
  description: "Serve logins with an address to a back end in any language",
  options: serveOptions,
  examples: [
    ["ventanilla serve", "tries it out: the sandbox, sessions in memory, a key that it prints"],
    [
      "ventanilla serve --base-url https://bank.example --name Shop \\\n  --url https://login.shop.example/bank --return-to https://shop.example \\\n  --store redis://localhost --webhook https://shop.example/ends",
      "in production, with VENTANILLA_API_KEY, VENTANILLA_SERVE_KEY, VENTANILLA_SEAL_KEY and VENTANILLA_WEBHOOK_SECRET",
    ],
  ],
  run: runServer,
});

/** Serves the API and the pages until a signal arrives, and then finishes what was begun. */
async function runServer(context: ServeContext): Promise<"success"> {
  const { values, program, output } = context;
  output.logsJson = output.json;
  if (output.json) program.takeWarnings((text) => output.say(text));
  const log = createLog(output);
  const { observation, flush } = await findTelemetry();
  let metrics: Awaited<ReturnType<typeof openMetrics>> | undefined;
  const settings = await readServeSettings(context, (fault) => log("error", describeFault(fault)));
  try {
    if (values.metrics !== undefined) metrics = await openMetrics(values.metrics, values.host);
    let handle = async (_request: Request) => new Response(null, { status: 503 });
    const draining = createDrainingServer((request) => handle(request));
    const { server } = draining;
    const origin = await listenOnPort(server, settings.port, settings.host);
    // Port 0 takes a free port, which the address shows.
    const hosted = createHosted(settings, values.url ?? `${origin}/login`, log, {
      onEvent(event) {
        observation.onEvent(event);
        metrics?.onEvent(event);
      },
    });
    const api = createSessionsApi({
      hosted,
      keys: settings.keys,
      readReadiness: createReadiness(settings.hosted.store, settings.service.client),
      rateLimit: settings.sessionLimit,
      // Back ends may connect without the proxy.
      readCaller: (request) => settings.hosted.readCaller?.(request) ?? readCallerAddress(request),
      describe: async () => (await import("../serve/api-description.ts")).describeApi(origin),
      onResponse({ fault, ...event }) {
        observation.onResponse(event);
        log("request", event);
        const { session, user, requestId } = event;
        if (fault) log("error", { session, user, requestId, ...describeFault(fault) });
      },
    });
    handle = observation.handle(api);
    announce(settings, { origin, url: values.url ?? `${origin}/login` }, output);
    const sweeping = setInterval(() => void hosted.sweep(), SWEEP);
    if (!program.signal.aborted) await once(program.signal, "abort");
    clearInterval(sweeping);
    log("draining", { requests: draining.running });
    await draining.drain();
    await hosted.finish();
    log("stopped", {});
    program.endBySignal();
    return "success";
  } finally {
    await settings.close();
    await metrics?.close();
    await flush();
  }
}

function createHosted(
  { hosted, webhook, tellsProgress }: ServeSettings,
  url: string,
  log: Log,
  observation: Pick<RegisteredTelemetry["observation"], "onEvent">,
): HostedLogin {
  const logged = logHosted(log);
  const tell = async (event: HostedEnd | HostedProgress) => {
    if (!webhook) return;
    await webhook(event);
    const { id: session, user, login } = event;
    log("webhook", { session, user, login, type: "status" in event ? "ended" : event.type });
  };
  const options = {
    readCaller: createCallerReader(() => log("warning", { text: CALLERS_UNKNOWN })),
    ...hosted,
    url,
    ...logged,
    onEvent(event) {
      observation.onEvent(event);
      logged.onEvent?.(event);
    },
    async onEnd(end) {
      logged.onEnd(end);
      await tell(end);
    },
    ...(tellsProgress && { onProgress: tell }),
  } satisfies HostedLoginOptions;
  try {
    return createHostedLogin(options);
  } catch (error) {
    throw toTypedOption(error);
  }
}

/** Names an option of the library as it is typed: `--return-to` for `returnTo`. */
function toTypedOption(error: unknown): unknown {
  if (!(error instanceof BankError) || error.field === undefined) return error;
  const { code, detail } = error;
  const name = /^\w+/.exec(error.field)?.[0].replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) ?? "";
  return Object.hasOwn(serveOptions, name) ? new BankError(code, { field: `--${name}`, detail }) : error;
}

/** The first line contains the generated keys, because the operator needs them. */
function announce(
  { made, isSandbox, isInMemory }: ServeSettings,
  { origin, url }: { origin: string; url: string },
  output: Output,
): void {
  const { key, webhookSecret } = made;
  if (isSandbox && (key ?? webhookSecret) !== undefined) output.say(paint("yellow", output.text("printsKeys")));
  if (isInMemory) output.say(paint("dim", output.text("inMemory")));
  output.say(paint("dim", output.text("stopWith")));
  const keys = { ...(key !== undefined && { key }), ...(webhookSecret !== undefined && { webhookSecret }) };
  output.result(
    { state: "listening", url: origin, pages: url, ...keys },
    `${output.text("listening")} ${origin}`,
    `${output.text("pages")}: ${url}`,
    ...(key === undefined ? [] : [`${output.text("serveKey")}: ${key}`]),
    ...(webhookSecret === undefined ? [] : [`${output.text("webhookSecret")}: ${webhookSecret}`]),
  );
}
