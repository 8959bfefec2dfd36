import { relayTelemetry } from "../../../tools/telemetry/opentelemetry/index.ts";
import type { ObservedRequest } from "../../../tools/telemetry/opentelemetry/relay-telemetry.ts";

/** Metrics of a relay or of hosted logins for Prometheus, at `/metrics` of a port of their own. */
export interface PrometheusServer {
  /** For the option `onEvent` of a relay or a hosted login. */
  onEvent(event: ObservedRequest): void;
  close(): Promise<void>;
}

// As Prometheus names what comes by OTLP: the dashboard and the alerts hold for both. The exporter adds no unit.
const histograms = ["ventanilla.login.duration", "ventanilla.request.duration", "ventanilla.interaction.wait"];
const views = histograms.map((instrumentName) => ({ instrumentName, name: `${instrumentName}.seconds` }));

/** Loads OpenTelemetry's exporter for Prometheus and its SDK, which the user has installed. @returns what starts the server. */
export async function loadPrometheus() {
  // No literal, or it would be bundled.
  const load = async <Package>(name: string): Promise<Package> => import(/* @vite-ignore */ `@opentelemetry/${name}`);
  const [{ PrometheusExporter }, { MeterProvider }, resources] = await Promise.all([
    load<typeof import("@opentelemetry/exporter-prometheus")>("exporter-prometheus"),
    load<typeof import("@opentelemetry/sdk-metrics")>("sdk-metrics"),
    load<typeof import("@opentelemetry/resources")>("resources"),
  ]);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes, serviceInstanceIdDetector } =
    resources;
  return async (place: { readonly port: number; readonly host: string }): Promise<PrometheusServer> => {
    const exporter = new PrometheusExporter({ ...place, preventServerStart: true });
    const resource = defaultResource()
      .merge(resourceFromAttributes({ "service.name": "ventanilla" }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
    const meters = new MeterProvider({ resource, readers: [exporter], views });
    const { onEvent } = relayTelemetry({ meter: meters.getMeter("ventanilla") });
    await exporter.startServer();
    return { onEvent, close: () => meters.shutdown() };
  };
}
