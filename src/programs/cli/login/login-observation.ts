import { findBuiltFile } from "../../../tools/inspect/built-files.ts";
import { openPrivately } from "../local-pages.ts";
import { findTelemetry } from "../registered-telemetry.ts";
import { writePrivate } from "../settings/private-files.ts";
import type { LoginSettings } from "./login-settings.ts";

/** Observes a login as its options require: in the viewer, with lifecycle events, in a trace; and for an OpenTelemetry SDK, if there is one. */
export async function observeLogin({ values, program, service }: LoginSettings) {
  const { inspect, open, events, record } = values;
  const { output } = service;
  const telemetry = await findTelemetry();
  if (!inspect && !events && record === undefined) return { inspect: telemetry.inspect, close: telemetry.flush };
  if (inspect) findBuiltFile("viewer", "index.html");
  const { inspectLogin, inspectRecording } = await import("../../../tools/inspect/index.ts");
  const { inspectAll, lifecycleTelemetry } = await import("../../../tools/telemetry/index.ts");
  const lifecycle = events ? lifecycleTelemetry((event) => output.event(event)) : undefined;
  const recorder = record === undefined ? undefined : inspectRecording();
  const inspection = inspect ? inspectLogin() : undefined;
  // A login continues if its viewer can't be served.
  const address = await inspection?.address.catch(() => undefined);
  if (address) {
    output.say(`${output.text("listening")} ${address.viewer}`);
    if (open) openPrivately(address.viewer, program.environment);
  }
  return {
    inspect: inspectAll(recorder?.inspect, inspection, lifecycle, telemetry.inspect),
    async close() {
      inspection?.stop();
      await telemetry.flush();
      if (!recorder || record === undefined) return;
      await writePrivate("--record", record, `${JSON.stringify(recorder.trace())}\n`);
    },
  };
}
