import type { UndiciInstrumentationConfig } from "@opentelemetry/instrumentation-undici";

/** For OpenTelemetry's instrumentation of `fetch`: its spans have the address without the values of the query, one of which is the session key. */
export const hideKeys: UndiciInstrumentationConfig = {
  startSpanHook({ origin, path }) {
    const shown = path.replaceAll(/=[^&]*/g, "=REDACTED");
    const { search } = new URL(shown, origin);
    return { "url.full": `${origin}${shown}`, "url.query": search };
  },
};
