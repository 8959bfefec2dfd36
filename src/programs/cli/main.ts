#!/usr/bin/env node
// The start of the ventanilla command. It imports nothing, because an older Node can't load the rest.

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`ventanilla needs Node 20.19 or later; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
await import("./command-process.ts");
