import { findBuiltFile } from "../../../tools/inspect/built-files.ts";
import { readTrace } from "../../../tools/inspect/inspect-recording.ts";
import { serveViewer } from "../../../tools/inspect/server/viewer-server.ts";
import { flag } from "../arguments.ts";
import { defineCommand } from "../command.ts";
import { openPrivately, serveUntilStopped } from "../local-pages.ts";
import { readText } from "../settings/private-files.ts";
import { commonOptions } from "../terminal/output.ts";

export const view = defineCommand({
  description: "Show a trace in a viewer on this machine",
  options: {
    file: {
      type: "positional",
      description: "The trace that login --record wrote; without it the viewer waits for a page",
      required: false,
    },
    open: flag("Open it in a browser; without it the address is printed"),
    ...commonOptions,
  },
  examples: [
    ["ventanilla login test --record trace.json", "writes the trace of a login"],
    ["ventanilla view trace.json --open", "shows it"],
  ],
  async run({ values, program, output }) {
    findBuiltFile("viewer", "index.html");
    const trace = values.file === undefined ? undefined : readTrace(await readText("FILE", values.file, program));
    const viewer = await serveViewer(trace);
    if (values.open) openPrivately(viewer.url, program.environment);
    return serveUntilStopped(viewer, output, program);
  },
});
