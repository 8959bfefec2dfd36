import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build, preview } from "vite";
import { buildViewer } from "../inspect/build-viewer.ts";
import { sharedFolder } from "../shared-folder.ts";
import { asProduction } from "./vite.ts";

/** Builds the playground as `npm run play` does, and serves what came out. */
export async function servePlayground(): Promise<{ url: string; outDir: string; close(): Promise<void> }> {
  await buildViewer();
  const configFile = fileURLToPath(new URL("../../src/play/vite.config.ts", import.meta.url));
  const outDir = await sharedFolder("ventanilla-play", (fresh) =>
    asProduction(() => build({ configFile, logLevel: "error", build: { outDir: fresh } })),
  );
  const server = await preview({
    configFile: false,
    logLevel: "error",
    build: { outDir },
    preview: { port: 0, host: "127.0.0.1" },
  });
  return { url: server.resolvedUrls?.local[0] ?? "", outDir, close: () => server.close() };
}

/** Logs in with a one-time code, as far as the question. @param filled called before the form is sent. */
export async function logInAsFarAsTheQuestion(page: Page, filled?: () => Promise<void>): Promise<void> {
  await page.getByLabel("Account of the sandbox").selectOption({ label: "test: asks for a one-time code" });
  await page.getByText("username 12345otp, password asdfg, then otp 8888").waitFor();
  await page.locator('[name="username"]').fill("12345otp");
  await page.locator('[name="password"]').fill("asdfg");
  await filled?.();
  await page.locator('[data-verb="submit"]').click();
  await page.locator('bank-login [data-step="answering"]').waitFor();
}
