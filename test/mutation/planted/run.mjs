// Plants each bug of bugs.json in a copy of the project, one at a time, and runs the tests of its room, then the fast set, until one is red. It
// prints which test that is. A bug that no test finds makes the command fail. Arguments: parts of the names of bugs. Default all.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const chosen = process.argv.slice(2);
const bugs = JSON.parse(readFileSync(new URL("bugs.json", import.meta.url), "utf8")).filter(
  ({ name }) => chosen.length === 0 || chosen.some((part) => name.includes(part)),
);

const folder = mkdtempSync(join(tmpdir(), "ventanilla-planted-"));
const copy = join(folder, "copy");
const report = join(folder, "report.json");
let running;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => {
    // Its own workers and browsers end with it.
    running?.once("exit", () => process.exit(1)).kill("SIGTERM");
    if (!running) process.exit(1);
  });
}
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

// The test of the table would be red with any bug.
const isLeftOut = new Set([".git", "node_modules", "dist", "reports", "coverage", "site", "bugs.test.ts"]);
cpSync(root, copy, { recursive: true, filter: (source) => !isLeftOut.has(basename(source)) });
// Its own folder, since tools write into it: only what is installed is shared, and the browser that the tests have unpacked.
const modules = join(root, "node_modules");
const shared = readdirSync(modules).filter((name) => ![".cache", ".vite"].includes(name));
if (existsSync(join(modules, ".cache/chromium"))) shared.push(".cache/chromium");
mkdirSync(join(copy, "node_modules/.cache"), { recursive: true });
for (const name of shared) symlinkSync(join(modules, name), join(copy, "node_modules", name));

/** Runs tests in the copy. @returns the red test, and the end of what was printed; no `red` if the tests are green. */
function runTests(...args) {
  rmSync(report, { force: true });
  const reporter = ["--reporter=json", `--outputFile=${report}`];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...reporter, ...args];
  return new Promise((resolve) => {
    let printed = "";
    running = spawn(process.execPath, vitest, { cwd: copy, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [running.stdout, running.stderr]) stream.on("data", (data) => (printed += data));
    running.once("exit", (code) => {
      running = undefined;
      resolve(code === 0 ? {} : { red: readRed() ?? {}, printed: printed.slice(-2000) });
    });
  });
}

/** The first test that failed, if the tests ran. */
function readRed() {
  if (!existsSync(report)) return undefined;
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  for (const { name: file, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === "failed");
    if (failed) return { file: relative(copy, file), title: failed.fullName };
  }
  return undefined;
}

async function find({ file, text, bug, room }) {
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  if (source.split(text).length !== 2) {
    return {
      fault: `${file} does not have this text exactly once, so the bug can't be planted: ${JSON.stringify(text)}`,
    };
  }
  writeFileSync(
    path,
    source.replace(text, () => bug),
  );
  try {
    const inRoom = await runTests("--bail=1", ...room);
    // Vitest may end at the first red test before that is in its report.
    const named = inRoom.red && !inRoom.red.title ? await runTests(...room) : inRoom;
    const { red, printed } = named.red ? named : await runTests("--bail=1", "--config=test/vitest.fast.config.ts");
    if (!red) return { fault: `no test finds it, neither in ${room.join(", ")} nor in the fast set` };
    return red.title ? { red } : { fault: `the tests did not run:\n${printed}` };
  } finally {
    writeFileSync(path, source);
  }
}

const files = new Set();
let faults = 0;
for (const bug of bugs) {
  const began = performance.now();
  const { red, fault } = await find(bug);
  if (red) files.add(red.file);
  else faults += 1;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${bug.name}\n  ${seconds} s  ${red ? `${red.file} > ${red.title}` : fault}`);
}
// A test that is red without a bug finds none.
const { red } = files.size > 0 ? await runTests(...files) : {};
if (red) console.log(`Red without a bug: ${red.file} > ${red.title}`);
console.log(`${bugs.length - faults} of ${bugs.length} bugs are found.`);
process.exitCode = red || faults > 0 || bugs.length === 0 ? 1 : 0;
