import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { WITHOUT_USERS } from "../../../src/servers/relay/relay-options.ts";

const text = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

test("the code of each server in docs/relay.md is the code that is tested, imports included", async () => {
  const [, servers = ""] = (await text("../../../docs/relay.md")).split("## Servers");
  const blocks = [...(servers.split("\n## ")[0] ?? "").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const names = (await readdir(new URL("servers/", import.meta.url))).filter((name) => !name.endsWith(".d.ts"));
  const sources = await Promise.all(names.map((name) => text(`servers/${name}`)));
  expect(blocks.sort()).toEqual(sources.sort());
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
