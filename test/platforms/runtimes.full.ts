import { fileURLToPath } from "node:url";
import { describe } from "vitest";
import { proxyPassword, sendsOnce } from "./sent-once.ts";

const binary = (path: string) => fileURLToPath(new URL(`runtimes/node_modules/${path}`, import.meta.url));

describe("the Node of these tests sends once", () => {
  sendsOnce([process.execPath], { exceptions: proxyPassword });
});

describe.each(["22", "24", "26"])("Node %s sends once", (version) => {
  sendsOnce([binary(`node-${version}/bin/node`)], { exceptions: proxyPassword });
});

// Any package may load undici 8, whose dispatcher is not the one that Node's own `fetch` takes.
describe.each(["22", "24"])("Node %s with undici 8 sends once", (version) => {
  sendsOnce([binary(`node-${version}/bin/node`), "--import", binary("undici/index.js")], {
    exceptions: proxyPassword,
  });
});

describe("Deno sends once", () => {
  sendsOnce([binary("@deno/linux-x64-glibc/deno"), "run", "--allow-net", "--no-config"]);
});

describe("Bun sends once", () => {
  sendsOnce([binary("@oven/bun-linux-x64/bin/bun")]);
});
