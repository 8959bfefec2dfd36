import { onTestFinished } from "vitest";
import { watchedBank } from "../../../bank/watched-bank.ts";
import { findFreePort } from "../../../free-port.ts";
import { createBrowser } from "../../../servers/hosted/stage.ts";
import { startHere } from "../program.ts";

/** `serve --metrics`, whose logins at a sandbox are measured. */
export async function startMeasuredServe() {
  const { environment } = await watchedBank();
  const port = await findFreePort();
  const key = "a-key-of-the-shop-42";
  const serve = startHere(["serve", "--json", "--port", "0", "--name", "Shop", "--metrics", `${port}`], {
    ...environment,
    VENTANILLA_SERVE_KEY: key,
    VENTANILLA_SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
  onTestFinished(async () => void (await serve.stop()));
  const { url } = await serve.firstLine();
  const metrics = `http://127.0.0.1:${port}/metrics`;
  return {
    metrics,
    stop: serve.stop,
    readMetrics: async () => (await fetch(metrics)).text(),
    /** Sends a login on the page of a new session. */
    async logIn(username: string, password: string) {
      const created = await fetch(`${url}/sessions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ user: "ana", provider: "test" }),
      });
      const session = (await created.json()) as { readonly id: string; readonly url: string };
      const browser = createBrowser();
      await browser.open(session.url);
      await browser.logIn(username, password);
      return session;
    },
  };
}
