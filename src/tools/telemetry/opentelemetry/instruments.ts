import { type Attributes, type Meter, metrics } from "@opentelemetry/api";
import { providerCode } from "../../trace/allowlist.ts";

/** The attributes of a measurement. Each has few values: the banks, and words of the library. */
export interface Labels {
  readonly provider: unknown;
  /** Where the login is. */
  readonly state?: string;
  /** The name of a request. */
  readonly request?: string;
  readonly outcome?: string;
  /** Whether the outcome is a fault, and so the error's type. */
  readonly isFault?: boolean;
  readonly httpStatus?: number | undefined;
}

// Seconds: from a cached response to a person who looks for a telephone.
const boundaries = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** The metrics, by the names that `docs/telemetry.md` lists. Durations are given in milliseconds, and recorded in seconds. */
export function createInstruments(meter: Meter = metrics.getMeter("ventanilla")) {
  const createHistogram = (name: string, description: string) => {
    const histogram = meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: boundaries },
    });
    return (milliseconds: number, labels: Labels) => histogram.record(milliseconds / 1000, toAttributes(labels));
  };
  const active = meter.createUpDownCounter("ventanilla.logins.active", {
    description: "Logins that have begun and not ended",
    unit: "{login}",
  });
  return {
    recordLogin: createHistogram(
      "ventanilla.login.duration",
      "From the start of a login to its end, the person's time included",
    ),
    recordRequest: createHistogram(
      "ventanilla.request.duration",
      "Requests of logins and links, their retries included",
    ),
    recordWait: createHistogram("ventanilla.interaction.wait", "How long persons take to answer or to choose"),
    addActive: (count: 1 | -1, labels: Labels) => active.add(count, toAttributes(labels)),
  };
}

export type Instruments = ReturnType<typeof createInstruments>;

function toAttributes({ provider, state, request, outcome, isFault, httpStatus }: Labels): Attributes {
  // The user may have typed an unknown code: each would be a separate series.
  const code = outcome === "provider_doesnt_exist" ? undefined : providerCode(provider);
  return {
    ...(state !== undefined && { "ventanilla.state": state }),
    ...(request !== undefined && { "ventanilla.request": request }),
    ...(code !== undefined && { "ventanilla.provider": code }),
    ...(outcome !== undefined && { "ventanilla.outcome": outcome }),
    ...(isFault && { "error.type": outcome }),
    ...(httpStatus !== undefined && { "http.response.status_code": httpStatus }),
  };
}
