import type { Plugin } from "vite";

/** A bundled package as Vite lists it. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As SPDX names its licence. */
  readonly identifier?: string;
  readonly text?: string;
}

// Vite's own list, in the form that programs can read; it does not stay.
const LIST = "licenses.json";

/**
 * Writes the licences of all packages that are bundled to a file beside the bundle: each of them wants to be copied with its
 * code. A package without a licence text ends the build.
 */
export function licenses(fileName: string): Plugin {
  return {
    name: "licenses",
    config: () => ({ build: { license: { fileName: LIST } } }),
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const list = bundle[LIST];
        if (list?.type !== "asset") return this.error("Vite lists no licences.");
        delete bundle[LIST];
        const packages: readonly BundledPackage[] = JSON.parse(String(list.source));
        const bare = packages.filter(({ text = "" }) => text.trim() === "").map(({ name }) => name);
        if (bare.length > 0) return this.error(`Bundled without a licence text: ${bare.join(", ")}.`);
        if (packages.length > 0) this.emitFile({ type: "asset", fileName, source: formatNotices(packages) });
      },
    },
  };
}

function formatNotices(packages: readonly BundledPackage[]): string {
  const notices = packages.map(
    ({ name, version, identifier = "", text }) => `${`${name} ${version} ${identifier}`.trim()}\n\n${text}\n`,
  );
  const head = "What is in this folder contains code of these packages, each under its own licence.\n";
  return [head, ...notices].join(`\n${"-".repeat(80)}\n\n`);
}
