import { appendFile, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openJournalFile } from "../../../src/core/batch/journal-file.ts";

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-journal-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "june.journal");
  return { path, journal: await openJournalFile(path, { field: "journal" }), text: () => readFile(path, "utf8") };
}

const taken = { code: "file_unusable", field: "journal", detail: "another process has taken it" };
const other = '{"run":"other","process":1,"since":"an earlier start"}\n';

describe("a journal that another process writes to", () => {
  test("goes on after the late results of a process that has lost it, and knows them", async () => {
    const { path, journal } = await openFolder();
    await journal.begin({ id: "a", attempt: 1 });
    // It stood still, and lets its rows end.
    await appendFile(path, '{"id":"b","attempt":1,"state":"logged_in"}\n{"run":"earlier"}\n');
    expect(await journal.begin({ id: "c", attempt: 1 })).toBe(true);
    expect(journal.rows.get("b")).toEqual({ attempt: 1, end: "logged_in" });
    expect(await journal.begin({ id: "b", attempt: 1 })).toBe(false);
    await journal.close();
    const again = await openJournalFile(path, { field: "journal" });
    expect([...again.rows.keys()]).toEqual(["a", "b", "c"]);
    await again.close();
  });

  test("begins nothing more once it was taken, keeps what ends, and does not give it back for the other", async () => {
    const { path, journal, text } = await openFolder();
    await journal.begin({ id: "a", attempt: 1 });
    await appendFile(path, other);
    await expect(journal.begin({ id: "b", attempt: 1 })).rejects.toMatchObject(taken);
    await expect(journal.begin({ id: "c", attempt: 1 })).rejects.toMatchObject(taken);
    await journal.end({ id: "a", attempt: 1, state: "logged_in" });
    await journal.close();
    const lines = (await text()).trim().split("\n");
    expect(lines.at(-1)).toBe('{"id":"a","attempt":1,"state":"logged_in"}');
  });

  test.each<[what: string, change: (path: string) => Promise<void>]>([
    ["removed", (path) => rm(path)],
    ["renamed", (path) => rename(path, `${path}.old`)],
  ])("begins nothing once the file was %s: the next run would not know it", async (_, change) => {
    const { path, journal } = await openFolder();
    await change(path);
    await expect(journal.begin({ id: "a", attempt: 1 })).rejects.toMatchObject(taken);
    await journal.close();
  });
});

test("of two runs that begin at the same moment, one sends", async () => {
  const { path, journal } = await openFolder();
  await journal.close();
  const opened = await Promise.allSettled([1, 2].map(() => openJournalFile(path, { field: "journal" })));
  // The second one is refused as it opens the journal, or takes it from the first one, which is refused at its next row.
  const runs = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const begun = await Promise.allSettled(runs.map((run, index) => run.begin({ id: `row-${index}`, attempt: 1 })));
  expect(begun.filter(({ status }) => status === "fulfilled")).toEqual([{ status: "fulfilled", value: true }]);
  await Promise.all(runs.map((run) => run.close()));
});
