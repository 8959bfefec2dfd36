// How long a list of 50,000 banks takes in `<bank-login>`: until it is shown, and after each key of a search. Run by `npm run bench -- banks`.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, loadavg } from "node:os";
import { openChromium } from "../screens/browser/chromium.ts";
import { bundle } from "./bundle.ts";

const BANKS = 50_000;
const ROUNDS = 5;
/** What they may take, in milliseconds: docs/benchmarks.md names them. */
const SHOWN = 1_000;
const KEY = 50;
/** Typed key by key, then taken back: the first one finds every bank, the last one a single bank. */
const SEARCH = "numero 49999";

const providers = Array.from({ length: BANKS }, (_, number) => ({
  code: `banco_${number}`,
  country: ["UY", "BR", "MX", "CO"][number % 4],
  name: `Banco Número ${number}`,
}));
const list = JSON.stringify({ status: "success", providers });
const script = await bundle(
  `import { defineBankLogin } from "ventanilla/element";
  defineBankLogin();
  // What was changed is drawn when a task runs that was asked for in the frame.
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const element = document.createElement("bank-login");
  const look = (selector) => element.shadowRoot?.querySelector(selector);
  window.show = async () => {
    const start = performance.now();
    element.setAttribute("relay", "/bank/");
    document.body.append(element);
    while (!look("[data-choice]")) await drawn();
    await drawn();
    return performance.now() - start;
  };
  window.type = async (text) => {
    const input = look("#search");
    const start = performance.now();
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await drawn();
    return performance.now() - start;
  };`,
  { external: () => false },
);

const server = createServer(({ url }, response) => {
  const [type, body] =
    url === "/bank/provider/"
      ? ["application/json", list]
      : url === "/page.js"
        ? ["text/javascript", script]
        : [
            "text/html",
            '<!doctype html><html lang="en"><title>Banks</title><script type="module" src="/page.js"></script>',
          ];
  response.setHeader("content-type", type).end(body);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

declare const window: { show(): Promise<number>; type(text: string): Promise<number> };

/** How long something took, in milliseconds: on the clock, and of the page's own thread, which other programs don't slow down. */
interface Time {
  readonly clock: number;
  readonly thread: number;
}

const browser = await openChromium();
const shown: Time[] = [];
const keys: Time[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const page = await browser.newPage();
  await page.goto(address);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const thread = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const measureTime = async (act: () => Promise<number>): Promise<Time> => {
    const before = await thread();
    const clock = await act();
    return { clock, thread: (await thread()) - before };
  };
  shown.push(await measureTime(() => page.evaluate(() => window.show())));
  for (let length = 1; length < 2 * SEARCH.length; length++) {
    const text = SEARCH.slice(0, Math.min(length, 2 * SEARCH.length - length));
    keys.push(await measureTime(() => page.evaluate((typed) => window.type(typed), text)));
  }
  await page.close();
}
await browser.close();
server.close();

const row = (times: readonly Time[], target: number) => {
  const sorted = (part: keyof Time) => times.map((time) => Math.round(time[part])).sort((one, other) => one - other);
  const [clock, thread] = [sorted("clock"), sorted("thread")];
  return {
    target,
    "clock, best": clock[0],
    median: clock[clock.length >> 1],
    worst: clock.at(-1),
    "thread, median": thread[thread.length >> 1],
    "thread, worst": thread.at(-1),
  };
};
console.log(`${BANKS} banks, ${ROUNDS} pages, milliseconds; ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`);
console.table({ "until the list is drawn": row(shown, SHOWN), "until a key's result is drawn": row(keys, KEY) });
