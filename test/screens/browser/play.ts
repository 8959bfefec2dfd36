import { fileURLToPath } from "node:url";
import { build } from "vite";
import { sharedFolder } from "../../shared-folder.ts";
import { buildViewer } from "../../tools/inspect/build-viewer.ts";
import type { ScreenPage } from "./screen-page.ts";
import { asProduction, serveFolder } from "./vite.ts";

const configFile = fileURLToPath(new URL("../../../src/programs/play/vite.config.ts", import.meta.url));

/** Builds the playground as `npm run play` does, and serves it. */
export async function servePlayground() {
  await buildViewer();
  const folder = await sharedFolder("ventanilla-play", (outDir) =>
    asProduction(() => build({ configFile, logLevel: "error", build: { outDir } })),
  );
  return serveFolder(folder);
}

/** Logs in until the bank asks for a one-time code. @param onFilled called before the form is submitted. */
export async function logInUntilQuestion(screen: ScreenPage, onFilled?: () => Promise<void>): Promise<void> {
  await screen.page.getByLabel("Account of the sandbox").selectOption({ label: "test: asks for a one-time code" });
  await screen.page.getByText("username 12345otp, password asdfg, then otp 8888").waitFor();
  await screen.fill({ username: "12345otp", password: "asdfg" });
  await onFilled?.();
  await screen.press("submit");
  await screen.waitForStep("answering");
}
