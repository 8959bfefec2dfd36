import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { UndiciInstrumentation, type UndiciInstrumentationConfig } from "@opentelemetry/instrumentation-undici";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { onTestFinished } from "vitest";
import { listen } from "../../servers/relay/stage.ts";

type Value = { readonly stringValue?: string; readonly intValue?: number; readonly arrayValue?: object };
type Listed = readonly { readonly key: string; readonly value: Value }[];

/** A span, as OTLP writes it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Listed;
}

/** A metric, as OTLP writes it in JSON. */
export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram?: { readonly dataPoints: readonly Point[] };
  readonly sum?: { readonly dataPoints: readonly Point[] };
}

interface Point {
  readonly attributes: Listed;
  readonly count?: number;
  readonly sum?: number;
  readonly asDouble?: number;
  readonly explicitBounds?: readonly number[];
}

/** Attributes as an object. */
export const toObject = (listed: Listed) =>
  Object.fromEntries(listed.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.arrayValue]));

/** A collector: a real server that exporters post to. */
export async function openReceiver() {
  const bodies: string[] = [];
  const spans: ReceivedSpan[] = [];
  const resources: Readonly<Record<string, unknown>>[] = [];
  const received = new Map<string, ReceivedMetric>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(body);
    for (const { resource } of [...resourceSpans, ...resourceMetrics]) resources.push(toObject(resource.attributes));
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    for (const { scopeMetrics } of resourceMetrics) {
      for (const scope of scopeMetrics) for (const metric of scope.metrics) received.set(metric.name, metric);
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  const url = await listen(server);
  return {
    url,
    /** Everything that was posted, unchanged. */
    bodies,
    spans,
    /** What each export says of the process that it comes from. */
    resources,
    /** The last export of each metric, by its name. */
    metrics: received,
  };
}

/** A collector, and an SDK of OpenTelemetry with its real exporters, registered in this process as an application does it. */
export async function startReceiver(undici: UndiciInstrumentationConfig = {}) {
  const receiver = await openReceiver();
  const { url } = receiver;
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }));
  const tracers = new BasicTracerProvider({ spanProcessors: [processor] });
  const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics` });
  const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(tracers);
  metrics.setGlobalMeterProvider(meters);
  const instrumentation = new UndiciInstrumentation(undici);
  instrumentation.setTracerProvider(tracers);
  onTestFinished(async () => {
    instrumentation.disable();
    await Promise.all([tracers.shutdown(), meters.shutdown()]);
    for (const api of [context, propagation, trace, metrics]) api.disable();
  });
  return {
    ...receiver,
    /** Exports what there is. */
    flush: async () => {
      await Promise.all([tracers.forceFlush(), meters.forceFlush()]);
    },
  };
}
