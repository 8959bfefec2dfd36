import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Makes one file of the simulation and the code that it runs, so that a thread and plain Node can load it. All is in it: a module that a run
 * loads would end that run in another order.
 */
export async function bundleSimulation(file, planted) {
  const plant = {
    name: "plant",
    load(id) {
      if (!planted || id !== root + planted.file) return undefined;
      const source = readFileSync(id, "utf8");
      if (source.split(planted.text).length !== 2) {
        throw new Error(`${planted.file} does not have this text exactly once: ${planted.text}`);
      }
      return { code: source.replace(planted.text, () => planted.bug), moduleType: "ts" };
    },
  };
  const bundle = await rolldown({ input: path("thread.ts"), platform: "node", plugins: [plant] });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
}

/** The table of bugs, for plain Node. */
export function readPlantedBugs() {
  return JSON.parse(readFileSync(path("planted-bugs.json"), "utf8"));
}
