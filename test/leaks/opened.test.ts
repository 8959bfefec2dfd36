import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const source = new URL("../../src/", import.meta.url);

// The import rules see who imports src/core/api/reveal.ts; imports of `reveal` from the package are only seen here.
test("secrets are opened in the files that docs/security.md names, and nowhere else", async () => {
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const openers: string[] = [];
  for (const file of files.sort()) {
    const text = await readFile(new URL(file, source), "utf8");
    if (/^(import|export)\b[^;]*\breveal\b[^;]*;/m.test(text)) openers.push(file);
  }
  expect(openers.filter((file) => !file.startsWith("core/api/"))).toEqual([
    "core/login/credentials.ts",
    "core/login/paused-token.ts",
    "core/view/kept-login.ts",
    "index.ts",
    "programs/cli/batch/batch-output.ts",
    "programs/cli/login/login-handlers.ts",
    "programs/cli/login/login-report.ts",
    "programs/cli/serve/sessions-api.ts",
    "programs/cli/settings/session-key.ts",
    "programs/mcp/served-logins.ts",
    "screens/element/field-templates.ts",
    "servers/kept/bank-calls.ts",
    "servers/relay/submits.ts",
    "servers/restate/durable-seals.ts",
  ]);
});
