import type { Plugin } from "vite";

/** A bundled package as Vite lists it. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As SPDX names its licence. */
  readonly identifier?: string;
  readonly text?: string;
}

// Vite's own list, which this plugin reads and removes.
const LIST = "licenses.json";

/** The files that are written beside a bundle. */
interface Files {
  /** The licence texts, which have to be copied with the code. */
  readonly notices: string;
  /** The names and versions as CycloneDX: `npm audit` does not see bundled packages. */
  readonly bom: string;
}

/** Lists all packages that are bundled, in two files. A package without a licence text ends the build. */
export function bundledPackages({ notices, bom }: Files): Plugin {
  return {
    name: "bundled-packages",
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
        if (packages.length === 0) return;
        this.emitFile({ type: "asset", fileName: notices, source: formatNotices(packages) });
        this.emitFile({ type: "asset", fileName: bom, source: formatBom(packages) });
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

/** A software bill of materials: CycloneDX 1.6, without a date, so that the same code gives the same file. */
function formatBom(packages: readonly BundledPackage[]): string {
  const components = packages.map(({ name, version, identifier }) => {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const licenses = identifier === undefined ? [] : [{ expression: identifier }];
    return { type: "library", "bom-ref": purl, name, version, purl, licenses };
  });
  return `${JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components }, undefined, 2)}\n`;
}
