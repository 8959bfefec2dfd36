import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rememberRefusals } from "ventanilla";
import { createFolderStore } from "ventanilla/tokens";
import { expect, onTestFinished, test } from "vitest";
import { loginUnread, startService } from "../bank/service.ts";
import { createCanary, findCanaries, newCanaries } from "./canaries.ts";

const { username, password, field } = newCanaries(["username", "password", "field"]);
const KEY = randomBytes(32).toString("base64url");
const secrets = [username, password, field, createCanary("sealKey", KEY)];

test("what is remembered of a refused form has nothing of it, whatever the store is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-refusals-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const service = await startService([{ json: { status: "wrong_credentials" } }]);
  const seen: unknown[] = [];
  const store = createFolderStore(folder);
  const credentials = {
    provider: "test",
    username: username.value,
    password: password.value,
    fields: { type: field.value },
  };
  const careful = rememberRefusals(service.client(), {
    key: KEY,
    store: {
      ...store,
      async read(...call: Parameters<typeof store.read>) {
        const text = await store.read(...call);
        seen.push(call, text);
        return text;
      },
      swap(...call: Parameters<typeof store.swap>) {
        seen.push(call);
        return store.swap(...call);
      },
    },
  });
  await loginUnread(careful, credentials);
  const outcome = await loginUnread(careful, credentials);
  expect(outcome).toMatchObject({ failure: { code: "known_wrong" } });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    seen.push(entry.name, ...(entry.isFile() ? [await readFile(join(entry.parentPath, entry.name), "utf8")] : []));
  }
  expect(seen.length).toBeGreaterThan(5);
  expect(findCanaries([seen, outcome], secrets)).toEqual([]);
  expect(findCanaries([seen, { planted: password.value }], secrets)).not.toEqual([]);
});
