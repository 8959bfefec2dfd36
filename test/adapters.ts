import { readdirSync } from "node:fs";

/** The frameworks that have an adapter, as their files and entry points are called. What each needs is tested in test/docs/adapters.test.ts. */
export const adapters = readdirSync(new URL("../src/screens/adapters/", import.meta.url)).map((name) =>
  name.replace(".ts", ""),
);
