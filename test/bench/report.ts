import type { ClientFigures } from "./client.ts";
import type { Crowd } from "./crowd.ts";
import type { LoginFigures } from "./logins.ts";
import { type RelayFigures, reportRelay } from "./relay.ts";
import type { Spread } from "./rounds.ts";
import type { compareRunners } from "./runners.ts";
import type { Budget, EntrySize } from "./sizes.ts";
import type { StartUp } from "./startup.ts";

/** All that one run measured. */
export interface Figures {
  readonly machine: string;
  readonly form: string;
  readonly logins: readonly LoginFigures[];
  readonly client: readonly ClientFigures[];
  readonly relay: readonly RelayFigures[];
  readonly crowds: readonly Crowd[];
  readonly startUp: readonly StartUp[];
  readonly sizes: readonly EntrySize[];
  readonly budget: Budget;
  readonly runners: Awaited<ReturnType<typeof compareRunners>>;
}

const count = (value: number) => Math.round(value).toLocaleString("en").replaceAll(",", " ");
const share = ({ median, lower, upper }: Spread) =>
  `**${median.toFixed(2)}** (${lower.toFixed(2)}–${upper.toFixed(2)})`;
const figure = (value: number) => (value < 10 ? value.toPrecision(2) : count(value));
const duration = (milliseconds: number) =>
  milliseconds < 1 ? `${figure(milliseconds * 1000)} µs` : `${figure(milliseconds)} ms`;

const listKeys = <Name extends string>(record: Readonly<Record<Name, unknown>>) => Object.keys(record) as Name[];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

const place = ({ kind, atATime }: LoginFigures) =>
  `${kind}, ${atATime === undefined ? "in process" : `HTTP, ${atATime} at a time`}`;

/** The generated part of `docs/benchmarks.md`. */
export function report(figures: Figures): string {
  const { crowds, startUp, sizes, budget } = figures;
  return [
    `Measured on ${figures.machine}, in the ${figures.form} form.`,
    "## Size",
    'Minified and gzipped bytes, as Vite bundles them for browsers, without the frameworks of the adapters. "Ours" is without dependencies, "at once" without what a page loads later. `npm run bench -- size` fails if an entry point is over its budget; with `--write` it writes this table.',
    reportSizes(sizes, budget),
    "`client`, `core`, `login` and `view` are parts of the main entry point: the client alone; with the statechart; with `login()`; with the statechart of the whole link and its view.",
    "## Start-up",
    table(
      ["what", "median", "middle half", "times as long as"],
      startUp.map(({ name, milliseconds, ratio }) => [
        name,
        duration(milliseconds.median),
        `${duration(milliseconds.lower)} – ${duration(milliseconds.upper)}`,
        ratio ? `${ratio.beside}: ${share(ratio.times)}` : "",
      ]),
    ),
    "## Logins that wait for an answer",
    "Each row in a process of its own; heap after garbage collection. Fewer than 100 can't be told from the process's own.",
    table(
      ["waiting", "as", "heap, each", "each made in"],
      crowds.map((crowd) => [
        count(crowd.count),
        crowd.kind === "actors" ? "live actors" : `sealed tokens of ${crowd.length} characters`,
        crowd.count < 100 ? "–" : `${count(crowd.bytes / crowd.count)} bytes`,
        duration(crowd.milliseconds / crowd.count),
      ]),
    ),
  ].join("\n\n");
}

/** How fast logins are beside others: for those who change ventanilla, and on no page. */
export function reportLogins({ logins, client, relay, runners }: Figures): string {
  return [
    "## Logins",
    "The throughput of `login()` as a share of the other one's, in the same round. Median of the rounds, in brackets the middle half of them.",
    table(
      ["login", "beside a pair of calls", "beside bare `fetch`", "`login()`", "pair", "bare `fetch`"],
      logins
        .filter(({ kind }) => kind === "interaction")
        .map((each) => [
          place(each),
          share(each.ratios["pair of calls"]),
          share(each.ratios["bare fetch"]),
          duration(each.milliseconds["login()"].median),
          duration(each.milliseconds["pair of calls"].median),
          duration(each.milliseconds["bare fetch"].median),
        ]),
    ),
    "A pair of calls of the client beside a hand-written pair of `fetch`: one with the same guarantees, one with five of them (time-out, signal, size limit, no redirects, a fresh connection). The control is the hand-written pair beside itself: as far from 1 as it is, no ratio can be trusted. `npm run bench -- client` prints this table.",
    reportClient(client),
    "A login through the relay beside a bare proxy of ten lines. `npm run bench -- relay` prints this table.",
    reportRelay(relay),
    "What `login()` costs if the bank responds at once, beside an actor of the same statechart.",
    table(
      ["a login with an interaction", "time", "ratio"],
      listKeys(runners.ratios).map((runner) => [
        runner,
        duration(runners.milliseconds[runner].median),
        share(runners.ratios[runner]),
      ]),
    ),
  ].join("\n\n");
}

/** The bytes of each entry point, as a table. */
export function reportSizes(sizes: readonly EntrySize[], budget: Budget): string {
  return table(
    ["entry point", "ours", "at once", "all", "budget"],
    sizes.map(({ name, own, everything }) => [
      `\`${name}\``,
      count(own.gzipped),
      count(everything.atOnce),
      count(everything.gzipped),
      formatLimits(budget[name]),
    ]),
  );
}

/** The table of the client beside a hand-written pair. */
export function reportClient(figures: readonly ClientFigures[]): string {
  return table(
    ["a login with an interaction", "throughput", "processor time", "control"],
    figures.map(({ atATime, guarantees, throughput, processor, control }) => [
      `${atATime} at a time, beside a pair with ${guarantees === "same guarantees" ? "the same guarantees" : "five of them"}`,
      share(throughput),
      share(processor),
      share(control),
    ]),
  );
}

function formatLimits(limits: Budget[string] | undefined): string {
  const parts = [
    limits?.own === undefined ? "" : `ours ${count(limits.own)}`,
    limits?.everything === undefined ? "" : `all ${count(limits.everything)}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
