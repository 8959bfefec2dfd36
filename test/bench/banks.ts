// How long a list of 50,000 banks takes in `<bank-login>`: until it is shown, and after each key of a search, also with a processor that is four times
// as slow, and beside a list of 40 banks; and how long a first search takes in a list whose names have thousands of letters. Run by `npm run bench -- banks`.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, loadavg } from "node:os";
import { searchProviders } from "../../src/core/view/provider-search.ts";
import { openChromium } from "../screens/browser/chromium.ts";
import { bundle } from "./bundle.ts";
import { runRounds, toRatio, toSpread } from "./rounds.ts";

const MANY = 50_000;
const FEW = 40;
/** As of a phone. */
const SLOW = 4;
const ROUNDS = 5;
/** What they may take, in milliseconds: the median, and no key more than the limit. */
const SHOWN = 1_000;
const SHOWN_SLOWLY = 3_000;
const KEY = 50;
const LONGEST_KEY = 150;
/** How many times as long a first search may take with names in Chinese letters as with Latin ones: it took 60 times as long once. */
const LETTERS = 2;
/** Typed key by key, then taken back: the first keys find every bank, the last ones a single bank, and the second text has a typing error. */
const SEARCHES = ["numero 39", "bnaco 39"];

const createList = (banks: number, nameOf = (number: number) => `Banco Número ${number}`) =>
  Array.from({ length: banks }, (_, number) => ({
    code: `banco_${number}`,
    country: ["UY", "BR", "MX", "CO"][number % 4] ?? "",
    name: nameOf(number),
  }));
const lists = new Map(
  [FEW, MANY].map((banks) => [
    `/${banks}/provider/`,
    JSON.stringify({ status: "success", providers: createList(banks) }),
  ]),
);
const script = await bundle(
  `import { defineBankLogin } from "ventanilla/element";
  defineBankLogin();
  // What was changed is drawn when a task runs that was asked for in the frame.
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const element = document.createElement("bank-login");
  const look = (selector) => element.shadowRoot?.querySelector(selector);
  window.show = async (relay) => {
    const start = performance.now();
    element.setAttribute("relay", relay);
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

const server = createServer(({ url = "" }, response) => {
  const list = lists.get(url);
  const [type, body] = list
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

declare const window: { show(relay: string): Promise<number>; type(text: string): Promise<number> };

const browser = await openChromium();

/** Milliseconds until the list is drawn, and until the result of each key is. */
async function measure(
  banks: number,
  rate: number,
): Promise<{ readonly shown: number; readonly keys: readonly number[] }> {
  const page = await browser.newPage();
  await page.goto(address);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  const shown = await page.evaluate((relay) => window.show(relay), `/${banks}/`);
  const keys: number[] = [];
  for (const text of SEARCHES) {
    for (let length = 1; length < 2 * text.length; length++) {
      const typed = text.slice(0, Math.min(length, 2 * text.length - length));
      keys.push(await page.evaluate((typed) => window.type(typed), typed));
    }
  }
  await page.close();
  return { shown, keys };
}

/** Milliseconds of the first search in a list. */
function measureFirst(nameOf?: (number: number) => string): number {
  const providers = createList(MANY, nameOf);
  const start = performance.now();
  searchProviders(providers, { text: "banco" });
  return performance.now() - start;
}
const toHan = (number: number) => String.fromCharCode(...[1, 7, 13].map((step) => 0x4e00 + ((number * step) % 20_000)));

const figures = await runRounds(
  {
    many: () => measure(MANY, 1),
    manySlow: () => measure(MANY, SLOW),
    fewSlow: () => measure(FEW, SLOW),
  },
  ROUNDS,
);
await browser.close();
server.close();
const first = await runRounds({ latin: async () => measureFirst(), han: async () => measureFirst(toHan) }, ROUNDS);

const row = (times: readonly number[], target?: number, limit?: number) => {
  const sorted = [...times].sort((one, other) => one - other);
  const [best, median, worst] = [0, sorted.length >> 1, sorted.length - 1].map((place) =>
    Math.round(sorted[place] ?? 0),
  );
  return { target, best, median, worst, limit };
};
const shownOf = (name: keyof typeof figures) => figures[name].map(({ shown }) => shown);
const keysOf = (name: keyof typeof figures) => figures[name].flatMap(({ keys }) => keys);
const medians = (name: keyof typeof figures) => figures[name].map(({ keys }) => toSpread(keys).median);
console.log(`${ROUNDS} rounds, milliseconds; ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`);
console.table({
  [`${MANY} banks, until they are drawn`]: row(shownOf("many"), SHOWN),
  [`${MANY} banks, until a key's result is drawn`]: row(keysOf("many"), KEY),
  [`${MANY} banks, ${SLOW} times as slow, until they are drawn`]: row(shownOf("manySlow"), SHOWN_SLOWLY),
  [`${MANY} banks, ${SLOW} times as slow, until a key's result is drawn`]: row(keysOf("manySlow"), KEY, LONGEST_KEY),
  [`${FEW} banks, ${SLOW} times as slow, until a key's result is drawn`]: row(keysOf("fewSlow")),
});
const { median, lower, upper } = toRatio(medians("manySlow"), medians("fewSlow"));
console.log(
  `A key in ${MANY} banks takes ${median.toFixed(2)} (${lower.toFixed(2)}–${upper.toFixed(2)}) times as long as in ${FEW}.`,
);
const letters = toRatio(first.han, first.latin);
console.log(
  `A first search among ${MANY} names in Chinese letters takes ${letters.median.toFixed(2)} (${letters.lower.toFixed(2)}–${letters.upper.toFixed(2)}) times as long as in Latin ones.`,
);
if (letters.median > LETTERS) {
  console.log(`It may take ${LETTERS} times as long.`);
  process.exitCode = 1;
}
