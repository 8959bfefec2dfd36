import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

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

/** Writes what browsers load once more beside it, as gzip and for the way over a network as Brotli: servers send these. */
function compress(folder, names, { isLocal = false } = {}) {
  // The viewer's copy in the playground is not packed.
  const isSent = (name) => /\.(js|css|html)$/.test(name) && name !== "first-form.js" && name !== "viewer.html";
  for (const name of names.filter(isSent)) {
    const path = file(`../dist/${folder}/${name}`);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    if (!isLocal) writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
}

// Tests, the tour and the gate build one after the other: the same sources are built once.
const digest = digestSources();
if (readBuilt() !== digest) {
  rmSync(BUILT, { force: true });
  const { build } = await import("vite");
  // What `npm run build` bundles, in this order: the playground has a copy of the viewer.
  for (const config of [
    "vite.config.ts",
    "tools/inspect/viewer/vite.config.ts",
    "programs/play/vite.config.ts",
    "screens/element/vite.config.ts",
    "servers/hosted/page/vite.config.ts",
    "screens/element/first-form.vite.config.ts",
  ]) {
    await build({ configFile: file(config), logLevel: "warn" });
  }
  const list = (folder) => readdirSync(file(`../dist/${folder}`), { recursive: true });
  compress(".", ["element.js"]);
  compress("hosted", list("hosted"));
  for (const folder of ["play", "viewer"]) compress(folder, list(folder), { isLocal: true });
  writeFileSync(BUILT, digest);
}
