import { fileURLToPath } from "node:url";
import { defineConfig, minifySync, type Plugin } from "vite";
import manifest from "../package.json" with { type: "json" };
import { bundledPackages } from "./bundled-packages.ts";
import { smallStyles, smallTemplates } from "./small-styles.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

/** The source of an entry point that the package's `exports` name: `./index.ts` for `./dist/src/index.js`. */
const entryPoints = Object.values(manifest.exports)
  .flatMap((target) => (typeof target === "string" ? [] : "browser" in target ? [target, target.browser] : [target]))
  .map((target) => target.default.replace("./dist/", "").replace(/\.js$/, ""));

// The command and the tour use the same files as the library: one `BankError`, and secrets that a user's module can open.
const programs = ["src/programs/cli/main", "src/programs/cli/command-process", "src/programs/cli/tour"];

// What the field `browser` of package.json puts in the place of `shared/load-ofetch.js`.
const replacements = ["src/core/api/ofetch"];

/** The protocol's SDK contains a validator for forms. No form is requested, and it is as large as the rest of the SDK. */
const withoutValidator: Plugin = {
  name: "without-validator",
  load: (id) =>
    id.endsWith("/@modelcontextprotocol/server/dist/shimsNode.mjs")
      ? 'import process from "node:process"; export { process }; export class DefaultJsonSchemaValidator {}'
      : undefined,
};

/** Minifies the files that contain only bundled packages: they are not read here, and the package has a size limit. */
const smallPackages: Plugin = {
  name: "small-packages",
  renderChunk: (code, { fileName, moduleIds }) =>
    moduleIds.every((id) => id.includes("/node_modules/"))
      ? { code: minifySync(fileName, code).code, map: null }
      : null,
};

/** The entry points and the programs, and in `shared` what several of them need: an application that loads a few files starts in half the time. */
export default defineConfig({
  root: file("."),
  plugins: [
    smallStyles,
    smallTemplates,
    withoutValidator,
    smallPackages,
    bundledPackages({ notices: "THIRD-PARTY-LICENSES.txt", bom: "sbom.cdx.json" }),
  ],
  // Installed dependencies are not bundled, so that `npm audit` sees them.
  ssr: { noExternal: true, external: installed },
  build: {
    ssr: true,
    outDir: file("../dist"),
    emptyOutDir: false,
    target: "es2023",
    rolldownOptions: {
      preserveEntrySignatures: "strict",
      input: Object.fromEntries(
        [...entryPoints, ...programs, ...replacements].map((name) => [name, file(`../${name}.ts`)]),
      ),
      // The directive of the React component stays, since an entry point is a separate file: see .ci/package.
      checks: { moduleLevelDirective: false },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "shared/[name].js",
        minify: false,
        // The field `browser` replaces load-ofetch with a file that has the same export.
        minifyInternalExports: false,
        // The declarations contain them.
        comments: { jsdoc: false },
        // Few files, because each takes Node almost a millisecond; but only what is loaded together, because bundlers remove complete
        // files more reliably than parts of one. A group includes what its files import, so files that must stay apart come first.
        codeSplitting: {
          groups: [
            { name: "load-ofetch", test: /[\\/]load-ofetch\.ts$/, priority: 4 },
            { name: "next-interaction", test: /[\\/]machines[\\/]next-interaction\.ts$/, priority: 4 },
            { name: "login-machine", test: /[\\/]machines[\\/]login\.ts$/, priority: 3 },
            { name: "link-machine", test: /[\\/]machines[\\/]link\.ts$/, priority: 2 },
            { name: "api", test: /[\\/]core[\\/](api[\\/](?!(load-)?ofetch)|tokens[\\/](memory-)?store)/, priority: 2 },
            { name: "screens", test: /[\\/]core[\\/](link|view)[\\/]/, priority: 1 },
          ],
        },
      },
    },
  },
});
