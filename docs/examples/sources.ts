import { fileURLToPath } from "node:url";

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** In this repository the examples and tests run on the sources. Your project installs the package and needs none of this. */
export const sources = [
  { find: /^ventanilla$/, replacement: source("src/index.ts") },
  {
    find: /^ventanilla\/(sandbox|relay|tokens|testing|element|inspect|telemetry|restate)$/,
    replacement: source("src/$1/index.ts"),
  },
  { find: /^ventanilla\/react\/element$/, replacement: source("src/element/react-component.ts") },
  { find: /^ventanilla\/solid\/element$/, replacement: source("src/element/solid-tag.ts") },
  { find: /^ventanilla\/(angular|react|vue|svelte|solid)$/, replacement: source("src/adapters/$1.ts") },
  { find: /^ventanilla\/telemetry\/opentelemetry$/, replacement: source("src/telemetry/opentelemetry/index.ts") },
  { find: /^ventanilla\/machines\/(.*)$/, replacement: source("machines/$1.ts") },
];
