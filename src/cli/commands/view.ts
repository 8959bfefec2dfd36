import { readRecording, serveViewer } from "../../inspect/index.ts";
import { commandOf } from "../command.ts";
import { openPrivately } from "../pages/browser.ts";
import { builtPart } from "../pages/built-part.ts";
import { stopped } from "../pages/stopping.ts";
import { readText } from "../settings/files.ts";
import { commonOptions, outputOf, textOf } from "../settings/settings.ts";
import { paint } from "../terminal/output.ts";

export const view = commandOf({
  name: "view",
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
  async run({ given, environment, signal }) {
    const output = outputOf(given, environment);
    builtPart("viewer", "index.html");
    const recording = readRecording(await readText("FILE", textOf(given, "file") ?? ""));
    const viewer = await serveViewer({ recording, keepsAlive: true });
    output.result({ status: "listening", url: viewer.url }, `${output.text("listening")} ${viewer.url}`);
    output.say(paint("dim", output.text("stopWith")));
    if (given["open"] === true) openPrivately(viewer.url, environment);
    await stopped(signal);
    await viewer.close();
    return "success";
  },
});
