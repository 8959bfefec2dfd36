import { readFile } from "node:fs/promises";

// `npm publish` runs this first: what whoever publishes has to fill in. Exits with 1 if something is missing.

const read = (name) => readFile(name, "utf8");
const { repository, homepage } = JSON.parse(await read("package.json"));

const missing = [
  repository === undefined &&
    'package.json has no "repository". npm compares it with the repository that the release is built from, and resolves the links of README.md by it.',
  homepage === undefined && 'package.json has no "homepage". Name the address of the site that `npm run site` builds.',
  (await read("README.md")).includes("in no registry yet") &&
    'README.md says that ventanilla is in no registry yet. Replace that in its section "Install".',
].filter(Boolean);

if (missing.length > 0) {
  process.stderr.write(`Not publishable:\n${missing.map((line) => `- ${line}\n`).join("")}`);
  process.exitCode = 1;
}
