import { BankError } from "../../index.ts";
import type { RelayTelemetry } from "../../tools/telemetry/opentelemetry/relay-telemetry.ts";
import type { Inspect } from "../../tools/trace/traced-actors.ts";
import { parseNumber } from "./arguments.ts";
import { createPortFault } from "./local-pages.ts";
import type { PrometheusServer } from "./serve/prometheus-server.ts";

export interface RegisteredTelemetry {
  readonly inspect: Inspect | undefined;
  readonly observation: RelayTelemetry;
  /** Exports everything that was recorded: the command ends the process before the timers of the SDK run. */
  flush(): Promise<void>;
}

/** The key under which every version 1 of OpenTelemetry's API registers itself. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

const nothing: RegisteredTelemetry = {
  inspect: undefined,
  observation: { onEvent() {}, onResponse() {}, handle: (handler) => handler },
  flush: async () => {},
};

/**
 * The telemetry for the SDK that the process was started with: `node --import ./sdk.js …`. Nothing is recorded without one, or if the package
 * `@opentelemetry/api` is not installed beside the command: an agent that a company loads into every process must not end it.
 */
export async function findTelemetry(): Promise<RegisteredTelemetry> {
  if (!(REGISTERED in globalThis)) return nothing;
  try {
    const [{ metricTelemetry, relayTelemetry, traceTelemetry }, { flushProviders }] = await Promise.all([
      import("../../tools/telemetry/opentelemetry/index.ts"),
      import("../../tools/telemetry/opentelemetry/flush-providers.ts"),
    ]);
    const { inspectAll } = await import("../../tools/telemetry/index.ts");
    return {
      inspect: inspectAll(traceTelemetry(), metricTelemetry()),
      observation: relayTelemetry(),
      flush: flushProviders,
    };
  } catch {
    return nothing;
  }
}

// Later versions of the exporter need a later Node.
const PACKAGES = "api@1 sdk-metrics@2 resources@2 exporter-prometheus@0.223";

/** Serves metrics for Prometheus, at the port that `--metrics` names. The user has to install the packages. */
export async function openMetrics(portText: string, host: string): Promise<PrometheusServer> {
  const port = parseNumber("--metrics", portText, { least: 1 });
  const bridge = import("./serve/prometheus-server.ts");
  const start = await bridge
    .then(({ loadPrometheus }) => loadPrometheus())
    .catch(() => {
      const names = PACKAGES.replaceAll(/\S+/g, "@opentelemetry/$&");
      throw new BankError("invalid_setup", { field: "--metrics", detail: `needs packages: npm install ${names}` });
    });
  return start({ port, host }).catch((error: unknown) => {
    throw createPortFault(port, error, "--metrics");
  });
}
