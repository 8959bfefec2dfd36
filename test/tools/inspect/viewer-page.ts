import { createCredentials, createLinkMachine, secret } from "ventanilla";
import { inspectRecording, type Trace } from "ventanilla/inspect";
import { expect } from "vitest";
import { createActor, waitFor } from "xstate";
import { serveViewer } from "../../../src/tools/inspect/server/viewer-server.ts";
import { createSandboxClient } from "../../conformance/sandbox.ts";
import { violationsIn } from "../../screens/browser/axe.ts";
import { test as base, openPage } from "../../screens/browser/screen-page.ts";

export const account = { provider: "test", username: "12345otp", password: "asdfg" };
// Large enough for the complete viewer.
const viewport = { width: 1400, height: 850 };

/** The recorded link. */
export const linked: Trace = await recordLink();

/** A test of the viewer. Those of a file share the page with the recorded link, because opening it costs more than most of them. */
export const test = base
  .extend("serve", ({ onTestFinished }) => async (trace?: Trace) => {
    const { url, close } = await serveViewer(trace);
    onTestFinished(close);
    return url;
  })
  /** Opens a page of its own. */
  .extend("openLarge", ({ open }) => (url: string, colorScheme: "light" | "dark" = "light") => {
    return open(url, { colorScheme, viewport });
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it what a fixture depends on
  .extend("shared", { scope: "file" }, async ({}, { onCleanup }) => {
    const { url, close } = await serveViewer(linked);
    const shared = await openPage(url, { viewport });
    onCleanup(async () => {
      await shared.page.context().close();
      await close();
    });
    return shared;
  })
  /** The viewer with the recorded link, at its beginning. */
  .extend("viewer", async ({ shared }) => {
    const { page } = shared;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: "light" });
    await page.evaluate(() => {
      for (const button of ['[data-chart=""]', '[data-go="first"]']) {
        document.querySelector<HTMLElement>(button)?.click();
      }
      (document.activeElement as HTMLElement | null)?.blur();
      document.querySelector("#drawing")?.scrollTo(0, 0);
    });
    shared.consoleErrors.length = 0;
    return shared;
  })
  .extend("page", ({ viewer }) => viewer.page);

/** A link from the choice of a bank to the destinations, with one interaction. */
async function recordLink(): Promise<Trace> {
  const { inspect, trace } = inspectRecording();
  const actor = createActor(createLinkMachine(createSandboxClient()), {
    input: { destinations: true },
    inspect,
  }).start();
  await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
  actor.send({ type: "provider.choose", provider: "test" });
  await waitFor(actor, ({ children }) => children.login !== undefined);
  actor.send({ type: "credentials.submit", credentials: createCredentials(account) });
  await waitFor(actor, ({ children }) => children.login?.getSnapshot().value === "awaitingInteraction");
  actor.send({ type: "interaction.answer", answer: { otp: secret("8888") } });
  await waitFor(actor, ({ status }) => status === "done");
  return trace();
}

/** The step after which a statechart has reached a state. */
export const moves = ({ events }: Trace, name: string, value: unknown): number => {
  const { sessionId } = events.find((event) => event.type === "@xstate.actor" && event.name === name) ?? {};
  return (
    events.findIndex(
      (event) =>
        event.type === "@xstate.snapshot" &&
        event.sessionId === sessionId &&
        JSON.stringify(event.snapshot.value) === JSON.stringify(value),
    ) + 1
  );
};

/** Tests the colours of a scheme: the background, and that axe finds nothing, with and without a trace. */
export function testColours(scheme: "light" | "dark", background: string): void {
  test(`in ${scheme} mode the background is ${background} and axe finds nothing, with and without a trace`, async ({
    openLarge,
    page,
    serve,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background);
    // Here is all that the first step shows, and what is lit besides.
    await page.locator("#position").fill(String(moves(linked, "login", "awaitingInteraction")));
    expect(await violationsIn(page)).toEqual([]);
    expect(await violationsIn((await openLarge(await serve(), scheme)).page)).toEqual([]);
  });
}
