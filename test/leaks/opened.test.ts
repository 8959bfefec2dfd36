import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const source = new URL("../../src/", import.meta.url);

/** The files beside `src/core/api`, which opens secrets just before a request is written, and what each opens one for. */
const openers = {
  "core/login/credentials.ts": "cleans a code, compares answers, and tells an empty text or a pasted message",
  "core/login/paused-token.ts": "encrypts a paused login",
  "core/view/kept-login.ts": "keeps the token of a login",
  "index.ts": "exports `reveal`",
  "programs/cli/batch/batch-output.ts": "writes a session key that was asked for",
  "programs/cli/login/login-handlers.ts": "finds a code in a pasted message",
  "programs/cli/login/login-report.ts": "prints a session key that was asked for",
  "programs/cli/serve/sessions-api.ts": "hands over a session key",
  "programs/cli/settings/session-key.ts": "seals a session key",
  "programs/mcp/served-logins.ts": "sends the key of a `ventanilla serve`",
  "screens/element/field-templates.ts": "puts a known user name into its input",
  "servers/kept/bank-calls.ts":
    "keeps what an answer needs in a sealed row, and compares a user name that the app knows",
  "servers/relay/submits.ts": "makes a digest of the user name for the rate limit",
  "servers/restate/durable-seals.ts": "encrypts a durable login",
};

// The import rules see who imports src/core/api/reveal.ts; imports of `reveal` from the package are only seen here.
test("secrets are opened in these files, to which docs/security.md leads, and nowhere else", async () => {
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const found: string[] = [];
  for (const file of files.sort()) {
    const text = await readFile(new URL(file, source), "utf8");
    if (/^(import|export)\b[^;]*\breveal\b[^;]*;/m.test(text)) found.push(file);
  }
  expect(found.filter((file) => !file.startsWith("core/api/"))).toEqual(Object.keys(openers));
});
