import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(root, "node_modules/.cache/ventanilla-cli");

/**
 * The program as it is built for the package, bundled from the sources as they are now: the tests don't depend on a `dist`.
 * Built once for all files of tests, by the digest of the sources.
 */
export async function buildProgram(): Promise<{ readonly folder: string; readonly main: string }> {
  const folder = join(cache, await digestOfSources());
  const program = { folder, main: join(folder, "dist/src/cli/main.js") };
  if (await exists(program.main)) return program;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "new-"));
  await cp(join(root, "package.json"), join(fresh, "package.json"));
  await build({
    configFile: join(root, "src/cli/vite.config.ts"),
    logLevel: "error",
    build: { outDir: join(fresh, "dist/src/cli") },
  });
  await addParts(fresh);
  // Another worker may have been faster.
  await forgetOld();
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
  return program;
}

/** Takes away what nobody has used for an hour. */
async function forgetOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > 3_600_000) await rm(path, { recursive: true, force: true });
  }
}

/** What the package's build adds: stand-ins, for the parts have tests of their own. */
async function addParts(fresh: string): Promise<void> {
  const parts = {
    "viewer/index.html": "<body>viewer</body>",
    "diagrams/login.svg": "<svg/>",
    "diagrams/link.svg": "<svg/>",
  };
  for (const [name, content] of Object.entries(parts)) {
    await mkdir(dirname(join(fresh, "dist", name)), { recursive: true });
    await writeFile(join(fresh, "dist", name), content);
  }
}

async function digestOfSources(): Promise<string> {
  const digest = createHash("sha256");
  for (const top of ["src", "machines", "package.json", "tsconfig.json"]) {
    const path = join(root, top);
    const names = (await stat(path)).isDirectory() ? await readdir(path, { recursive: true }) : [""];
    for (const name of names.sort()) {
      const file = join(path, name);
      if ((await stat(file)).isFile()) digest.update(name).update(await readFile(file));
    }
  }
  return digest.digest("hex").slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
