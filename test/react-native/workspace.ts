import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sharedFolder } from "../shared-folder.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

// Bundling asks nothing of the network, and sends nothing.
const env = { ...process.env, CI: "1", EXPO_OFFLINE: "1", EXPO_NO_TELEMETRY: "1" };

/**
 * Installs the example with the packed package, as a user would, and bundles as an Expo app is when it is built: the example itself
 * (`example.js`), and what the tests of the core run on (`core.js`).
 */
export const buildWorkspace = (): Promise<string> =>
  sharedFolder("ventanilla-react-native", async (folder) => {
    const isSource = (path: string) => !path.includes("/node_modules");
    await cp(join(repository, "docs/examples/react-native"), folder, { recursive: true, filter: isSource });
    await cp(join(repository, "test/react-native/core-entry.js"), join(folder, "core-entry.js"));
    const npm = (...words: string[]) => run("npm", [...words, "--no-audit", "--no-fund", "--silent"], { cwd: folder });
    await npm("ci", "--ignore-scripts");
    await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: repository });
    const { version } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
    await npm("install", "--no-save", "--ignore-scripts", `./ventanilla-${version}.tgz`);
    for (const [entry, output] of [
      ["index.js", "example.js"],
      ["core-entry.js", "core.js"],
    ] as const) {
      const files = ["--entry-file", entry, "--bundle-output", output];
      const words = ["export:embed", "--platform", "ios", "--dev", "false", "--minify", "false", ...files];
      await run(process.execPath, ["node_modules/expo/bin/cli", ...words], { cwd: folder, env });
    }
  });

/** Type-checks the example against the types of the package and of React Native. */
export async function checkTypes(): Promise<string> {
  const folder = await buildWorkspace();
  const { stdout } = await run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."], { cwd: folder });
  return stdout;
}

/** Compiles a bundle to the bytecode of Hermes, which checks its syntax and each regular expression. */
export async function compileForHermes(bundle: "example.js" | "core.js"): Promise<Buffer> {
  const folder = await buildWorkspace();
  const compiler = join(folder, "node_modules/hermes-compiler/hermesc/linux64-bin/hermesc");
  const output = join(folder, `${bundle}.hbc`);
  // Warnings name the globals of each platform that a package asks for.
  await run(compiler, ["-emit-binary", "-O", "-w", "-out", output, join(folder, bundle)]);
  return readFile(output);
}

/** What Jest writes of a run. */
export interface JestReport {
  readonly success: boolean;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    /** Why tests failed; empty where none did. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** Runs the example's own tests, by Jest, as a user would. */
export async function runExampleTests(): Promise<{ readonly exitCode: number; readonly report: JestReport }> {
  const folder = await buildWorkspace();
  const jest = run(process.execPath, ["node_modules/jest/bin/jest.js", "--ci", "--json"], {
    cwd: folder,
    maxBuffer: 2 ** 26,
  });
  const { stdout, code } = await jest.then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (failed: { readonly stdout: string; readonly code: number }) => failed,
  );
  return { exitCode: code, report: JSON.parse(stdout) };
}
