import { metrics, ProxyTracerProvider, trace } from "@opentelemetry/api";

/** Exports what the registered providers have recorded, if they can. It does not reject. */
export async function flushProviders(): Promise<void> {
  const tracers = trace.getTracerProvider();
  const tracing = tracers instanceof ProxyTracerProvider ? tracers.getDelegate() : tracers;
  await Promise.allSettled([tracing, metrics.getMeterProvider()].map(flush));
}

// A member of the SDK, which the API's types don't have.
async function flush(provider: object & { forceFlush?(): Promise<void> }): Promise<void> {
  await provider.forceFlush?.();
}
