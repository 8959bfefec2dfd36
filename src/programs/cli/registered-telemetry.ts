import type { RelayObservation } from "../../tools/telemetry/opentelemetry/index.ts";
import type { Inspect } from "../../tools/trace/traced-actors.ts";

/** What an OpenTelemetry SDK of the process gets. */
export interface RegisteredTelemetry {
  readonly inspect: Inspect | undefined;
  readonly observation: RelayObservation;
  /** Exports what there is: the command ends the process before the timers of the SDK. */
  flush(): Promise<void>;
}

/** What every version 1 of OpenTelemetry's API registers itself under. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

const nothing: RegisteredTelemetry = {
  inspect: undefined,
  observation: { onEvent() {}, onResponse() {}, handle: (handler) => handler },
  flush: async () => {},
};

/**
 * The telemetry for the SDK that the process was started with: `node --import ./sdk.js …`. Nothing is recorded without one, or if the package
 * `@opentelemetry/api` is not beside the command: an agent that a company puts into every process is no reason to end it.
 */
export async function findTelemetry(): Promise<RegisteredTelemetry> {
  if (!(REGISTERED in globalThis)) return nothing;
  try {
    const [{ measureLogins, observeRelay, traceLogins }, { flushProviders }] = await Promise.all([
      import("../../tools/telemetry/opentelemetry/index.ts"),
      import("../../tools/telemetry/opentelemetry/flush-providers.ts"),
    ]);
    const { inspectAll } = await import("../../tools/telemetry/index.ts");
    return {
      inspect: inspectAll(traceLogins(), measureLogins()),
      observation: observeRelay(),
      flush: flushProviders,
    };
  } catch {
    return nothing;
  }
}
