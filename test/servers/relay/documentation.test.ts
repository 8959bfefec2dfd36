import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { WITHOUT_USERS } from "../../../src/servers/relay/relay-options.ts";

const text = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

test("docs/relay.md names the file of each server, which is tested", async () => {
  const [, servers = ""] = (await text("../../../docs/relay.md")).split("## Servers");
  const named = [...(servers.split("\n## ")[0] ?? "").matchAll(/examples\/servers\/([\w.]+)\)/g)].map(
    ([, name]) => name,
  );
  expect(named.toSorted()).toEqual(
    (await readdir(new URL("../../../docs/examples/servers/", import.meta.url))).toSorted(),
  );
});

test("the table of options names each option, and no other", async () => {
  const [, table = ""] = (await text("../../../docs/relay.md")).split("## Options");
  const listed = [...(table.split("\n## ")[0] ?? "").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  const [, declared = ""] = (await text("../../../src/servers/relay/relay-options.ts")).split(
    "export interface RelayOptions {",
  );
  const names = [...(declared.split("\n}")[0] ?? "").matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
  expect(listed).toEqual(names);
});

test("docs/relay.md says what the relay says on the console", async () => {
  expect((await text("../../../docs/relay.md")).replaceAll(/\s+/g, " ")).toContain(WITHOUT_USERS);
});
