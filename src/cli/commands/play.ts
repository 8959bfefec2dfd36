import { commandOf } from "../command.ts";
import { openInBrowser } from "../pages/browser.ts";
import { stopped } from "../pages/stopping.ts";
import { commonOptions, outputOf } from "../settings/settings.ts";
import { paint } from "../terminal/output.ts";

export const play = commandOf({
  name: "play",
  description: "Open the playground: every bank of the sandbox, in a browser",
  options: {
    open: { type: "boolean", description: "Open it in a browser; without it the address is printed" },
    ...commonOptions,
  },
  examples: [["ventanilla play --open", "serves until Ctrl-C"]],
  async run({ given, environment, signal }) {
    const output = outputOf(given, environment);
    const { servePlayground } = await import("../pages/playground.ts");
    const { url, close } = await servePlayground();
    output.result({ status: "listening", url }, `${output.text("listening")} ${url}`);
    output.say(paint("dim", output.text("stopWith")));
    if (given["open"] === true) openInBrowser(url, environment);
    await stopped(signal);
    await close();
    return "success";
  },
});
