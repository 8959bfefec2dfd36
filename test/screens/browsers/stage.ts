import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createBankClient } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";
import { build } from "vite";
import { onTestFinished } from "vitest";
import { openService, promised, type Reply, respondAs } from "../../bank/service.ts";
import { sharedFolder } from "../../shared-folder.ts";
import { openHttp2, type StreamFault } from "./http2.ts";

/** `<bank-login>` in one file, built once in a run. */
const buildElement = () =>
  sharedFolder("ventanilla-browsers-element", (outDir) =>
    build({
      configFile: fileURLToPath(new URL("../../../src/screens/element/vite.config.ts", import.meta.url)),
      logLevel: "error",
      build: { outDir },
    }),
  );

const html = (title: string, body: string) => ({
  text: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>:root { background: Canvas; color: CanvasText } a { color: inherit }</style><title>${title}</title></head><body>${body}<script>addEventListener("pageshow", (event) => { document.body.dataset.restored = event.persisted; });</script></body></html>`,
  headers: { "content-type": "text/html" },
});

/** The login of the shop itself, on the origin of the bank's form. */
export const shopForm =
  '<form id="shop"><input autocomplete="username"><input type="password" autocomplete="current-password"></form>';

/**
 * A page with `<bank-login>`, its relay on the same origin, the sandbox as its bank, and another site that the page links to. They are
 * the test's own, and end with it.
 *
 * @param attributes of `<bank-login>`, as they are written.
 * @param hasUsers whether the site has users, whom the relay knows by a cookie. Default: it has none.
 */
export async function openSite(attributes = "", { hasUsers = false, hasProxy = true } = {}) {
  const script = await readFile(`${await buildElement()}/element.js`);
  const sandbox = createSandbox();
  /** What the bank got, as method and path: the logins and answers among it. */
  const requests: string[] = [];
  const faults: Reply[] = [];
  let ready: Promise<void> = Promise.resolve();
  /** How often the browser sent a login or an answer. */
  let tries = 0;

  const elsewhere = await openService(() => html("Elsewhere", "<main><h1>Elsewhere</h1></main>"));
  onTestFinished(elsewhere.close);
  const { url, close } = await openService(async (request) => {
    if (request.url === "/element.js") return { text: script, headers: { "content-type": "text/javascript" } };
    if (request.url === "/") {
      return html(
        "Bank",
        `<main><h1>Bank</h1><bank-login relay="/bank/" ${attributes}></bank-login><p><a href="${elsewhere.url}">Elsewhere</a></p></main><script type="module" src="/element.js"></script>`,
      );
    }
    if (request.url === "/shop") return html("Shop", shopForm);
    if (!request.url.startsWith("/bank/")) return { http: 404, text: "" };
    if (request.method === "POST") tries += 1;
    const reply = await relayed(request);
    return (request.method === "POST" && faults.shift()) || reply;
  });
  onTestFinished(close);
  const streamFaults: StreamFault[] = [];
  // A proxy needs a certificate, which not every machine can make.
  const secure = hasProxy ? await openHttp2((path, init) => fetch(`${url}${path}`, init), streamFaults) : undefined;
  if (secure) onTestFinished(secure.close);
  const relayed = respondAs(
    createRelay({
      client: createBankClient({
        baseUrl: "http://sandbox.example",
        apiKey: SANDBOX_API_KEY,
        retry: false,
        fetch: async (input, init) => {
          const request = new Request(input, init);
          requests.push(`${request.method} ${new URL(request.url).pathname}`);
          if (request.method === "POST") await ready;
          return sandbox(request);
        },
      }),
      sealKey: randomBytes(32).toString("base64"),
      allowedOrigins: secure ? [url, secure.url] : [url],
      path: "/bank/",
      clientSelection: true,
      logout: true,
      rateLimit: false,
      readUser: hasUsers && (({ request }) => /user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1]),
      store: createMemoryStore({ rows: new Map() }),
      onLogin: () => undefined,
    }),
  );

  return {
    url,
    /** How many logins and answers the bank got. */
    countLogins: () => requests.filter((line) => line === "POST /login/").length,
    /** How many choices of a client the bank got. */
    countChoices: () => requests.filter((line) => /^GET \/client\/[^/]/.test(line)).length,
    /** How many logins and answers the browser sent, its own repeats among them. */
    countTries: () => tries,
    /** The same behind a proxy that speaks HTTP/2. */
    secureUrl: secure?.url ?? url,
    /** What becomes of the next responses to logins and answers, one each, once the relay has made them. */
    faults,
    /** The same in the proxy. */
    streamFaults,
    /** Lets the bank wait with its responses to logins. @returns what lets it respond. */
    hold: () => {
      const { promise, keep } = promised();
      ready = promise;
      return keep;
    },
  };
}
