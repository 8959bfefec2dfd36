import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// `npm run bench` measures what CONTRIBUTING.md shows. `npm run bench -- client hostile` measures these alone, each in a process of its own.
const measurements = ["all", "client", "relay", "hostile", "banks", "calls", "size", "weight", "batch"];

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith("-"));
const names = words.filter((word) => !options.includes(word));
const unknown = names.filter((name) => !measurements.includes(name));
if (unknown.length > 0) throw new Error(`No measurement: ${unknown.join(", ")}. There are ${measurements.join(", ")}.`);
for (const name of names.length > 0 ? names : ["all"]) {
  const program = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const { status } = spawnSync(process.execPath, ["--expose-gc", program, ...options], { stdio: "inherit" });
  process.exitCode = process.exitCode || (status ?? 1);
}
