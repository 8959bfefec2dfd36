// The processor seconds (user and system) of a command and of all that it starts, by what they are spent on. Linux alone: it reads /proc.
//   node .ci/seconds.mjs COMMAND…                  runs it, and prints them: `node .ci/seconds.mjs npm test`
//   node .ci/seconds.mjs --watch FOLDER [--write]  those of the process that starts it, until SIGTERM: `.ci/run`, which keeps notes in that folder.
//                                                  With `--write` the tables go into CONTRIBUTING.md, too
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * What may be spent, on a processor that takes `REFERENCE` seconds for the fixed piece of work: that of the day on which the budget was set. `npm test` of 85a0409f
 * took 595 seconds there, and takes 323 where the piece takes 1.63.
 */
const BUDGET = { "npm test": 300, ".ci/run": 600 };
const REFERENCE = 3;
/** The share of the budget above which `.ci/full` fails. */
const LIMIT = 1.25;

/** Milliseconds between two looks at the processes. */
const INTERVAL = 500;
const TICKS_PER_SECOND = 100;
/** The step of `.ci/run` that runs `npm test`. */
const TESTS = "tests, docs and examples";

const kinds = [
  ["Chromium", /^\S*\/chromium(\/| )/],
  ["TypeScript", /\b(tsc|vue-tsc|svelte-check|attw)\b|\/typescript/],
  ["builds", /build\.mjs|\/vite\b/],
  ["tests", /\(vitest \d+\)|vitest\/dist\/workers/],
  ["Vitest", /\bvitest\b/],
  ["npm", /^npm |\/(npm|npx|pnpm)\b/],
  ["new processes of Node", /^(\S*\/)?node\b/],
];

/** A process, or undefined if it has ended. */
function readProcess(pid) {
  const text = readFile(`/proc/${pid}/stat`);
  if (!text) return undefined;
  const values = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [own, ofChildren] = [11, 13].map((at) => (Number(values[at]) + Number(values[at + 1])) / TICKS_PER_SECOND);
  return { pid: Number(pid), parent: Number(values[1]), id: `${pid} ${values[19]}`, own, ofChildren };
}

function readFile(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // The process has ended since its folder was listed.
  }
}

/** Looks at a process and its descendants again and again. @returns a function that ends it, and gives the seconds of each kind in each step. */
function watch(root) {
  const seen = new Map();
  const look = () => {
    const running = new Map();
    for (const name of readdirSync("/proc")) {
      const found = /^\d/.test(name) && readProcess(name);
      if (found && found.pid !== process.pid) running.set(found.pid, found);
    }
    const isDescendant = (found) =>
      found && (found.pid === root || seen.has(found.id) || isDescendant(running.get(found.parent)));
    // A parent before its children.
    for (const found of [...running.values()].sort((one, other) => one.pid - other.pid)) {
      const known = seen.get(found.id);
      if (!known && !isDescendant(found)) continue;
      const looks = (known?.looks ?? 0) + 1;
      // A process changes its command while it starts. The step is handed down in the environment.
      const command =
        (looks < 5 && readFile(`/proc/${found.pid}/cmdline`).replaceAll("\0", " ")) || known?.command || "";
      const parentId = known?.parentId ?? running.get(found.parent)?.id;
      // Chromium writes over its environment, and some tests give a process one of its own.
      const step =
        known?.step ??
        /\bVENTANILLA_STEP=([^\0]*)/.exec(readFile(`/proc/${found.pid}/environ`))?.[1] ??
        seen.get(parentId)?.step;
      seen.set(found.id, { ...found, looks, command, step, parentId });
    }
  };
  look();
  const timer = setInterval(look, INTERVAL);
  return () => {
    clearInterval(timer);
    look();
    const children = new Map();
    for (const found of seen.values()) children.set(found.parentId, [...(children.get(found.parentId) ?? []), found]);
    // A process knows what its children had used when they ended. What was not seen of that is theirs, after the last look at them.
    const unseen = new Map();
    const sumTree = ({ id, own, ofChildren }) => {
      const ended = (children.get(id) ?? [])
        .map((child) => [child, sumTree(child)])
        .filter(([child]) => readProcess(child.pid)?.id !== child.id);
      const known = ended.reduce((all, [, seconds]) => all + seconds, 0);
      unseen.set(id, Math.max(0, ofChildren - known));
      return own + Math.max(known, ofChildren);
    };
    for (const found of seen.values()) if (!seen.has(found.parentId)) sumTree(found);
    return [...seen.values()].flatMap(({ id, command, step, own }) => [
      { kind: kinds.find(([, pattern]) => pattern.test(command))?.[0] ?? "other programs", step, seconds: own },
      { kind: "the last moments of processes", step, seconds: unseen.get(id) ?? 0 },
    ]);
  };
}

/** A fixed piece of work of the kinds that tests do: JSON, text, sorting, hashes. @returns its processor seconds. */
function measureSpeed() {
  const begun = process.cpuUsage();
  for (let round = 0; round < 240; round += 1) {
    const banks = Array.from({ length: 4000 }, (_, index) => ({
      index: index + round,
      name: `bank ${index * 7}`,
      fields: ["username"],
    }));
    const text = JSON.stringify(banks);
    const read = JSON.parse(text).sort((one, other) => other.name.localeCompare(one.name));
    const counts = new Map();
    for (const word of `${text} ${read.length}`.replace(/[^a-z ]+/g, " ").split(" "))
      counts.set(word, (counts.get(word) ?? 0) + 1);
    for (let turn = 0; turn < 4; turn += 1) createHash("sha256").update(text).digest("hex");
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}

/** What each test file cost the process that ran it, by folder: `test/seconds.ts` writes a line for each. */
function readFolders(file) {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return sumBy(
    lines.map((line) => line.split("\t")),
    ([path]) => `\`${path.split("/").slice(0, -1).slice(0, 3).join("/")}\``,
    ([, seconds]) => Number(seconds),
  );
}

const sum = (rows) => rows.reduce((all, { seconds }) => all + seconds, 0);

function sumBy(rows, toName, toSeconds = ({ seconds }) => seconds) {
  const sums = new Map();
  for (const row of rows) sums.set(toName(row), (sums.get(toName(row)) ?? 0) + toSeconds(row));
  return [...sums].filter(([, seconds]) => seconds >= 0.05);
}

function toTable(title, rows) {
  const sorted = [...rows].sort(([, one], [, other]) => other - one);
  return [
    `| ${title} | processor seconds |`,
    "|---|---:|",
    ...sorted.map(([name, seconds]) => `| ${name} | ${seconds.toFixed(1)} |`),
  ].join("\n");
}

/** @returns the tables, and a sentence for each budget. */
function report(rows, folders, speed) {
  const steps = sumBy(
    rows.filter(({ step }) => step),
    ({ step }) => step,
  );
  const isGate = steps.length > 0;
  const tests = isGate ? rows.filter(({ step }) => step === TESTS) : rows;
  const parts = sumBy(tests, ({ kind }) => kind);
  // By folder in place of all in one.
  const table = toTable(
    "part of `npm test`",
    folders.length > 0 ? [...parts.filter(([kind]) => kind !== "tests"), ...folders] : parts,
  );
  const spent = isGate ? { "npm test": sum(tests), ".ci/run": sum(rows) } : { "npm test": sum(tests) };
  const judged = Object.entries(spent).map(([name, seconds]) => {
    const budget = (BUDGET[name] * speed) / REFERENCE;
    const verdict = seconds > budget * LIMIT ? "too much" : seconds > budget ? "over the budget" : "within the budget";
    return `\`${name}\`: ${seconds.toFixed(0)} processor seconds of ${budget.toFixed(0)}, ${verdict}.`;
  });
  const scale = `The budgets are ${BUDGET["npm test"]} and ${BUDGET[".ci/run"]} on a processor that takes ${REFERENCE} s for a fixed piece of work; this one took ${speed.toFixed(2)} s.`;
  return [...(isGate ? [toTable("step of `.ci/run`", steps), ""] : []), table, "", ...judged, scale].join("\n");
}

function write(text) {
  const path = fileURLToPath(new URL("../CONTRIBUTING.md", import.meta.url));
  const page = readFileSync(path, "utf8");
  writeFileSync(
    path,
    page.replace(/(<!-- seconds: .*? -->\n)[\s\S]*?(<!-- end -->)/, (_, begin, end) => `${begin}\n${text}\n\n${end}`),
  );
}

const [first, ...others] = process.argv.slice(2);
if (first === "--watch") {
  const [folder, option] = others;
  const before = measureSpeed();
  const end = watch(process.ppid);
  process.once("SIGTERM", () => {
    const text = report(end(), readFolders(join(folder, "files")), (before + measureSpeed()) / 2);
    console.log(text);
    if (option === "--write") write(text);
  });
} else {
  const folder = mkdtempSync(join(tmpdir(), "seconds-"));
  const files = join(folder, "files");
  const before = measureSpeed();
  const child = spawn(first, others, { stdio: "inherit", env: { ...process.env, VENTANILLA_SECONDS: files } });
  const end = watch(child.pid);
  child.once("exit", (code) => {
    console.log(`\n${report(end(), readFolders(files), (before + measureSpeed()) / 2)}`);
    rmSync(folder, { recursive: true });
    process.exitCode = code ?? 1;
  });
}
