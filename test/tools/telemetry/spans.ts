import type { AttributeValue } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type Span,
} from "@opentelemetry/sdk-trace-base";
import { traceTelemetry } from "../../../src/tools/telemetry/opentelemetry/index.ts";

/** A tracer whose spans are kept, and how many of them are open. @param onEnd called with each span that ends. */
export function recorder(onEnd: (span: ReadableSpan) => void = () => {}) {
  const exporter = new InMemorySpanExporter();
  const open = new Set<string>();
  const provider = new BasicTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor(exporter),
      {
        onStart: (span: Span) => {
          const end = span.end.bind(span);
          const name = `${span.name} ${span.spanContext().spanId}`;
          open.add(name);
          span.end = () => {
            // The SDK ignores a second end.
            if (!open.has(name)) open.add(`${name} ended twice`);
            end();
          };
        },
        onEnd: (span: ReadableSpan) => {
          open.delete(`${span.name} ${span.spanContext().spanId}`);
          onEnd(span);
        },
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  });
  const tracer = provider.getTracer("test");
  return {
    tracer,
    inspect: traceTelemetry({ tracer }),
    /** Those that have ended, in that order. */
    spans: () => exporter.getFinishedSpans(),
    open: () => [...open],
    tree: (spans: readonly ReadableSpan[] = exporter.getFinishedSpans()) => tree(spans),
  };
}

const statuses = ["", " OK", " ERROR"];

/** The finished spans as lines, each below the one that it is part of: name, status, outcome. */
export function tree(spans: readonly ReadableSpan[], parent?: string, indent = ""): string[] {
  const known = new Set(spans.map((span) => span.spanContext().spanId));
  return spans
    .filter(({ parentSpanContext }) =>
      parent ? parentSpanContext?.spanId === parent : !known.has(parentSpanContext?.spanId ?? ""),
    )
    .sort((one, other) => milliseconds(one.startTime) - milliseconds(other.startTime))
    .flatMap((span) => [
      `${indent}${span.name}: ${span.attributes["ventanilla.outcome"]}${statuses[span.status.code]}`,
      ...tree(spans, span.spanContext().spanId, `${indent}  `),
    ]);
}

const milliseconds = ([seconds, nanoseconds]: readonly [number, number]): number =>
  seconds * 1000 + nanoseconds / 1_000_000;

/** The attributes, without the id. */
export function readAttributes(span: ReadableSpan | undefined): Record<string, AttributeValue | undefined> {
  const { "ventanilla.login.id": _id, ...others } = span?.attributes ?? {};
  return others;
}
