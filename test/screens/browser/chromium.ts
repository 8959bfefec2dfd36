import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

/** An installed Chromium. */
interface Installation {
  /** Where it comes from, for people. */
  readonly origin: string;
  readonly executablePath: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const PACKAGE = "@sparticuz/chromium";
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
/** The repository: npm starts commands there. */
const project = process.cwd();

/**
 * The Chromium that the variable `CHROMIUM` names, else on Linux the one of the npm package, elsewhere one that is installed. The
 * package's is the same everywhere, and has no windows: it takes half of the time of a whole browser.
 */
export async function findChromium(): Promise<Installation> {
  const named = process.env["CHROMIUM"];
  if (named) return { origin: "named in the variable CHROMIUM", executablePath: named };
  if (process.platform === "linux" && process.arch === "x64") return unpackChromium();
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const installed = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), MAC].find(existsSync);
  if (installed) return { origin: "installed on this machine", executablePath: installed };
  throw new Error("npm brings a Chromium for Linux on x64 alone: install one, or name yours in the variable CHROMIUM.");
}

let running: Promise<Browser> | undefined;

/**
 * The Chromium of this process, started once for all its test files. Without a Chromium a test fails; it is never skipped.
 */
export function openChromium(): Promise<Browser> {
  running ??= startChromium();
  return running;
}

async function startChromium(): Promise<Browser> {
  const { executablePath, environment } = await findChromium();
  const options = {
    executablePath,
    env: { ...process.env, ...environment },
    timeout: 60_000,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  };
  // Chromium 143 has crashed while it started (SIGSEGV), seen once. A second crash fails the tests. One that hangs is given up in time for that.
  const browser = await chromium.launch(options).catch(() => chromium.launch(options));
  browser.on("disconnected", () => {
    running = undefined;
  });
  return browser;
}

/** Unpacks the Chromium of the npm package with its libraries and fonts, once for each version. */
async function unpackChromium(): Promise<Installation> {
  const manifest = await readFile(join(project, "node_modules", PACKAGE, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(project, "node_modules/.cache/chromium", version);
  if (!existsSync(folder)) {
    await mkdir(dirname(folder), { recursive: true });
    const partial = await mkdtemp(`${folder}-`);
    // The package unpacks into the temporary folder, and its libraries only if this variable names a bare system.
    const environment = { ...process.env, TMPDIR: partial, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" };
    const script = `import chromium from "${PACKAGE}"; await chromium.executablePath();`;
    const words = ["--input-type=module", "--eval", script];
    await promisify(execFile)(process.execPath, words, { cwd: project, env: environment });
    // The package's own file names folders that only its usual system has.
    const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`;
    await writeFile(join(partial, "fonts.conf"), `<!DOCTYPE fontconfig SYSTEM "fonts.dtd">${fonts}`);
    // Renamed when it is complete: several processes may unpack at once, and each may be killed.
    await rename(partial, folder).catch(async (error: NodeJS.ErrnoException) => {
      await rm(partial, { recursive: true });
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  }
  return {
    origin: `from npm (${PACKAGE} ${version})`,
    executablePath: join(folder, "chromium"),
    environment: { LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}
