import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
/** The digest of the sources that `dist` was built from. */
const BUILT = file("../dist/.built");

/** Everything that can change what is built. */
function digestSources() {
  const hash = createHash("sha256");
  const add = (path) => hash.update(path).update(readFileSync(file(path)));
  for (const path of ["../package.json", "../package-lock.json"]) add(path);
  for (const folder of [".", "../machines"]) {
    const entries = readdirSync(file(folder), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const { parentPath, name } of entries)
      hash.update(`${parentPath}/${name}`).update(readFileSync(`${parentPath}/${name}`));
  }
  return hash.digest("hex");
}

const readBuilt = () => {
  try {
    return readFileSync(BUILT, "utf8");
  } catch {
    return undefined; // Nothing was built, or a build did not end.
  }
};

// Tests, the tour and the gate build one after the other: the same sources are built once.
const digest = digestSources();
if (readBuilt() !== digest) {
  rmSync(BUILT, { force: true });
  const { build } = await import("vite");
  // What `npm run build` bundles, in this order: the playground has a copy of the viewer.
  for (const folder of [".", "tools/inspect/viewer", "programs/play", "screens/element", "servers/hosted/page"]) {
    await build({ configFile: file(`${folder}/vite.config.ts`), logLevel: "warn" });
  }
  writeFileSync(BUILT, digest);
}
