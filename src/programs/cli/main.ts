#!/usr/bin/env node
// The start of the ventanilla command. It imports nothing, because an older Node can't load the rest.

const { node } = process.versions;
const [major = 0, minor = 0] = node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  process.stderr.write(`ventanilla needs Node 20.19, or 22.12 and later; this is Node ${node}.\n`);
  process.exit(1);
}
const { runProcess } = await import("./command-process.ts");
await runProcess();
