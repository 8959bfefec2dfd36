import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The repository: where the command was started, as npm does it. */
export const root = pathToFileURL(`${process.cwd()}/`);

const { exports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  readonly exports: Readonly<
    Record<string, string | { readonly default: string; readonly browser?: { readonly default: string } }>
  >;
};

/** What an application imports: a name, and the module that imports it. */
export interface Entry {
  readonly name: string;
  readonly code: string;
}

// Parts of the main entry point, as an application that tree-shakes takes them.
const parts: readonly Entry[] = [
  { name: "client", code: `export { createBankClient } from "ventanilla"` },
  { name: "core", code: `export { createBankClient, createLoginMachine, createCredentials } from "ventanilla"` },
  { name: "login", code: `export { createBankClient, login } from "ventanilla"` },
  { name: "view", code: `export { createBankClient, createLinkMachine, linkView } from "ventanilla"` },
];

const isAdapter = (target: { readonly default: string }) => target.default.includes("/adapters/");

/** Every entry point of the package that holds code, the parts of the main one first. */
export const entries: readonly Entry[] = [
  ...parts,
  ...Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string" || path === ".") return [];
    // A screen needs a client as well.
    const client = isAdapter(target) ? `export { createBankClient } from "ventanilla";` : "";
    return [{ name: path.slice(2), code: `${client}export * from "ventanilla/${path.slice(2)}"` }];
  }),
];

/** The entry points that are adapters of a framework. */
export const adapters = Object.entries(exports).flatMap(([path, target]) =>
  typeof target !== "string" && isAdapter(target) ? [path.slice(2)] : [],
);

/** Where each entry point was built to, for browsers where it has a part of their own. */
export const built = Object.entries(exports).flatMap(([path, target]) => {
  if (typeof target === "string") return [];
  const find = new RegExp(`^ventanilla${path.slice(1)}$`);
  return [{ find, replacement: fileURLToPath(new URL((target.browser ?? target).default, root)) }];
});
