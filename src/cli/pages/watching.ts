import type { InspectionEvent } from "xstate";
import { writePrivate } from "../settings/files.ts";
import { type Given, textOf } from "../settings/settings.ts";
import type { Output } from "../terminal/output.ts";
import { openPrivately } from "./browser.ts";
import { builtPart } from "./built-part.ts";

/** The options of commands whose run can be watched. */
export const watchOptions = {
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

/** Watches a login as asked; the statechart's events hold no secrets. */
export interface Watching {
  readonly inspect: ((event: InspectionEvent) => void) | undefined;
  /** Writes the record and closes the viewer. */
  end(): Promise<void>;
}

export async function watch(given: Given, environment: NodeJS.ProcessEnv, output: Output): Promise<Watching> {
  const file = textOf(given, "record");
  const isTold = given["events"] === true;
  if (file === undefined && given["inspect"] !== true && !isTold) return { inspect: undefined, end: async () => {} };
  if (given["inspect"] === true) builtPart("viewer", "index.html");
  const { inspectLogin, recordLogin } = await import("../../inspect/index.ts");
  const { inspectAll, onLifecycle } = await import("../../telemetry/index.ts");
  const lifecycle = isTold ? onLifecycle((event) => output.event(event)) : undefined;
  const recorder = file === undefined ? undefined : recordLogin();
  const inspection = given["inspect"] === true ? inspectLogin() : undefined;
  // The login goes on where nobody can watch.
  const address = await inspection?.address.catch(() => undefined);
  if (address) {
    output.say(`${output.text("listening")} ${address.viewer}`);
    if (given["open"] === true) openPrivately(address.viewer, environment);
  }
  return {
    inspect: inspectAll(recorder?.inspect, inspection, lifecycle),
    async end() {
      inspection?.stop();
      if (recorder === undefined || file === undefined) return;
      await writePrivate("--record", file, `${JSON.stringify(recorder.recording())}\n`);
    },
  };
}
