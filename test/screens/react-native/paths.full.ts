import type { LinkView, LoginView } from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, type LinkPath, type LoginPath, runPath, viewDriver } from "ventanilla/testing";
import { describe, expect, test } from "vitest";
import { formatTitle, generatedPaths } from "../../generated-paths.ts";
import { openReactNative } from "./runtime.ts";

/** The flow of a path on React Native: its view, and how to stop it. */
function openScreen(path: LoginPath | LinkPath) {
  const bank = fetchFor(path);
  const received = () => bank.received;
  const { core } = openReactNative(bank);
  const { createActor, createBankClient, createLinkMachine, createLoginMachine, linkView, loginView } = core;
  const client = createBankClient({ baseUrl: "http://sandbox.test", apiKey: SANDBOX_API_KEY, retry: false });
  if (path.flow === "link") {
    const actor = createActor(createLinkMachine(client), { input: path.settings }).start();
    return { received, look: (): LinkView => linkView(actor.getSnapshot(), actor), close: () => actor.stop() };
  }
  const { provider, detail, settings } = path;
  const actor = createActor(createLoginMachine(client), { input: settings }).start();
  return {
    received,
    look: (): LoginView => loginView(actor.getSnapshot(), actor, { provider, detail }),
    close: () => actor.stop(),
  };
}

describe.each(["login", "link"] as const)("each generated path of the %s", (flow) => {
  const paths: readonly (LoginPath | LinkPath)[] = generatedPaths[flow];
  test.concurrent.each(paths.map((path, index) => [formatTitle(path, index), path] as const))("%s", async (_, path) => {
    const { received, look, close } = openScreen(path);
    await runPath(path as LoginPath, { ...viewDriver(look), received }, { timeout: 60_000 });
    expect(look().state).toBe(path.steps.at(-1)?.expected);
    close();
  });
});
