import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const source = new URL("../../src/", import.meta.url);

// The import rules see who imports src/api/reveal.ts; whoever takes `reveal` from the whole package is seen here alone.
test("secrets are opened in the files that docs/security.md names, and nowhere else", async () => {
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const openers: string[] = [];
  for (const file of files.sort()) {
    const text = await readFile(new URL(file, source), "utf8");
    if (/^(import|export)\b[^;]*\breveal\b[^;]*;/m.test(text)) openers.push(file);
  }
  expect(openers.filter((file) => !file.startsWith("api/"))).toEqual([
    "cli/commands/batch-command.ts",
    "cli/login/login-report.ts",
    "cli/settings/session-key.ts",
    "element/field-templates.ts",
    "index.ts",
    "login/credentials.ts",
    "login/paused-token.ts",
    "relay/sealed-keys.ts",
    "restate/durable-seals.ts",
  ]);
});
