import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");

/** The members that an interface declares, in their order. */
const readMembers = (source: string, name: string) => {
  const [, body = ""] = new RegExp(`export interface ${name}\\b[\\s\\S]*?\\{\\n([\\s\\S]*?)\\n\\}`).exec(source) ?? [];
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member]) => member);
};

test("docs/hosted.md names each option, each member of create and each status", async () => {
  const [page, source] = await Promise.all([read("docs/hosted.md"), read("src/servers/hosted/hosted-options.ts")]);
  const rows = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const passed = [...(/Pick<\s*RelayOptions,([\s\S]*?)>/.exec(source)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect(passed).toHaveLength(8);
  const statuses = [...source.matchAll(/^export type Hosted\w*Status = (.*);$/gm)].flatMap(([, union = ""]) =>
    [...union.matchAll(/"(\w+)"/g)].map(([, status]) => status),
  );
  expect(statuses).toHaveLength(7);
  const members = [...readMembers(source, "HostedLoginOptions"), ...readMembers(source, "NewHostedSession")];
  expect(members).toHaveLength(23);
  for (const name of [...passed, ...statuses, ...members]) expect(rows).toContain(name);
});
