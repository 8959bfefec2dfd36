// node --import ./sdk.mjs "$(command -v ventanilla)" serve
//
// npm install @opentelemetry/api @opentelemetry/core @opentelemetry/context-async-hooks @opentelemetry/sdk-trace-base
//   @opentelemetry/resources @opentelemetry/sdk-metrics @opentelemetry/exporter-trace-otlp-http
//   @opentelemetry/exporter-metrics-otlp-http
//
// The exporters read OTEL_EXPORTER_OTLP_ENDPOINT; the default is a collector at http://localhost:4318. OTEL_SERVICE_NAME and
// OTEL_RESOURCE_ATTRIBUTES name the service; each process has a service.instance.id, so two replicas are two series.
import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";

// Later ones win: what the environment says comes last. The detector of the process is left out, since it records the command line,
// which can have a user name.
const resource = defaultResource()
  .merge(resourceFromAttributes({ "service.name": "ventanilla" }))
  .merge(detectResources({ detectors: [serviceInstanceIdDetector, hostDetector, envDetector] }));
const readers = [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })];
const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(new BasicTracerProvider({ resource, spanProcessors }));
metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers }));
