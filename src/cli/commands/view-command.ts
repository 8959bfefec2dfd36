import { readTrace, serveViewer } from "../../inspect/index.ts";
import { defineCommand } from "../command.ts";
import { findBuiltPart } from "../pages/built-parts.ts";
import { openPrivately } from "../pages/open-browser.ts";
import { serveUntilStopped } from "../pages/serving.ts";
import { commonOptions, createOutput } from "../settings/output-settings.ts";
import { readText } from "../settings/private-files.ts";

export const view = defineCommand({
  description: "Show a recorded run in a viewer on this machine",
  options: {
    file: { type: "positional", description: "What login --record wrote", required: true },
    open: { type: "boolean", description: "Open it in a browser; without it the address is printed" },
    ...commonOptions,
  },
  examples: [
    ["ventanilla login test --record run.json", "records a login"],
    ["ventanilla view run.json --open", "shows it"],
  ],
  async run({ values, environment, signal }) {
    findBuiltPart("viewer", "index.html");
    const trace = readTrace(await readText("FILE", values.file));
    const viewer = await serveViewer({ trace, keepsAlive: true });
    if (values.open) openPrivately(viewer.url, environment);
    return serveUntilStopped(viewer, createOutput(values, environment), signal);
  },
});
