// Packs the durable logins of an earlier commit into one file, for the tests of upgrades: a clone may have no history.
//   node test/servers/restate/older/pack.mjs COMMIT
// What it imports of npm is that of this repository.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const [commit = ""] = process.argv.slice(2);
const repository = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ventanilla-older-"));
try {
  const archive = execFileSync("git", ["archive", commit, "src", "machines", "package.json"], {
    cwd: repository,
    maxBuffer: 2 ** 28,
  });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const entry = join(folder, "entry.ts");
  writeFileSync(
    entry,
    'export { createBankClient } from "./src/index.ts"; export { createDurableLoginClient, durableLogin } from "./src/servers/restate/index.ts";',
  );
  const outDir = join(folder, "packed");
  await build({
    root: folder,
    logLevel: "error",
    build: {
      ssr: entry,
      outDir,
      target: "node20",
      rolldownOptions: { external: /^[^./]/, output: { entryFileNames: "packed.mjs", codeSplitting: false } },
    },
  });
  const [, version] =
    /VERSION = "(\w+)"/.exec(readFileSync(join(folder, "src/servers/restate/login-id.ts"), "utf8")) ?? [];
  const packed = new URL(`version-${version}.mjs.gz`, import.meta.url);
  writeFileSync(packed, gzipSync(readFileSync(join(outDir, "packed.mjs")), { level: 9 }));
  console.log(`${fileURLToPath(packed)}: version ${version} of ${commit}`);
} finally {
  rmSync(folder, { recursive: true });
}
