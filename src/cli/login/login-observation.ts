import type { InspectionEvent } from "xstate";
import type { OptionValues } from "../arguments.ts";
import { findBuiltPart } from "../pages/built-parts.ts";
import { openPrivately } from "../pages/open-browser.ts";
import { writePrivate } from "../settings/private-files.ts";
import type { Output } from "../terminal/output.ts";

/** The options that show or record what a login's statechart does. */
export const observationOptions = {
  inspect: { type: "boolean", description: "Show the statechart live in a viewer on this machine" },
  open: { type: "boolean", description: "Open the viewer in a browser; without it the address is printed" },
  events: {
    type: "boolean",
    description: "Tell how the login goes, as lifecycle events in JSON, one per line, on standard error",
  },
  record: {
    type: "string",
    description: "Write what the statechart did, without secrets, for ventanilla view",
    valueHint: "file",
  },
} as const;

/** A login that is observed as asked; the statechart's events hold no secrets. */
export interface LoginObservation {
  readonly inspect?: (event: InspectionEvent) => void;
  /** Writes the record and closes the viewer. */
  close(): Promise<void>;
}

export async function observeLogin(
  { inspect, open, events, record }: OptionValues<typeof observationOptions>,
  environment: NodeJS.ProcessEnv,
  output: Output,
): Promise<LoginObservation> {
  if (!inspect && !events && record === undefined) return { close: async () => {} };
  if (inspect) findBuiltPart("viewer", "index.html");
  const { inspectLogin, recordLogin } = await import("../../inspect/index.ts");
  const { inspectAll, onLifecycle } = await import("../../telemetry/index.ts");
  const lifecycle = events ? onLifecycle((event) => output.event(event)) : undefined;
  const recorder = record === undefined ? undefined : recordLogin();
  const inspection = inspect ? inspectLogin() : undefined;
  // The login goes on where nobody can watch.
  const address = await inspection?.address.catch(() => undefined);
  if (address) {
    output.say(`${output.text("listening")} ${address.viewer}`);
    if (open) openPrivately(address.viewer, environment);
  }
  return {
    inspect: inspectAll(recorder?.inspect, inspection, lifecycle),
    async close() {
      inspection?.stop();
      if (!recorder || record === undefined) return;
      await writePrivate("--record", record, `${JSON.stringify(recorder.trace())}\n`);
    },
  };
}
