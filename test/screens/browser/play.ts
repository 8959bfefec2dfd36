import { fileURLToPath } from "node:url";
import type { ScreenPage } from "./screen-page.ts";
import { serveFolder } from "./vite.ts";

/** Serves the playground as `npm run play` does. */
export const servePlayground = () => serveFolder(fileURLToPath(new URL("../../../dist/play", import.meta.url)));

/** Logs in until the bank asks for a one-time code. @param onFilled called before the form is submitted. */
export async function logInUntilQuestion(screen: ScreenPage, onFilled?: () => Promise<void>): Promise<void> {
  await screen.page.getByLabel("Account of the sandbox").selectOption({ label: "test: asks for a one-time code" });
  await screen.page.getByText("username 12345otp, password asdfg, then otp 8888").waitFor();
  await screen.fill({ username: "12345otp", password: "asdfg" });
  await onFilled?.();
  await screen.press("submit");
  await screen.waitForState("awaitingInteraction");
}
