import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { reveal } from "ventanilla";
import { expect } from "vitest";
import { openQuestion } from "../bank/service.ts";
import { createStageTest } from "./stage-test.ts";

// Everything that Restate journals and stores, by its SQL interface and by its files, searched for everything secret.

const DAY = `${24 * 3_600_000}`;
const sqlTables = [
  "sys_invocation",
  "sys_journal",
  "sys_journal_events",
  "state",
  "sys_inbox",
  "sys_promise",
  "sys_keyed_service_status",
];

// Journals are kept and files uncompressed: otherwise there would be nothing to find.
const test = createStageTest({
  workers: 1,
  uncompressed: true,
  echoes: true,
  worker: { JOURNAL_RETENTION: DAY, RETENTION: DAY },
});

test("no canary is in what the server journals and stores, though the bank repeats whatever it was sent", async ({
  stage,
}) => {
  const canaries: string[] = ["asdfg", "gfdsa", stage.bank.apiKey, stage.sealKey];
  const users = ["plain", "code", "wrong", "waiting", "cancelled"].map(
    (name) => `12345${name === "plain" ? "" : "otp"}~canary-user-${name}`,
  );
  canaries.push("canary-user-", "canary-password", "canary-answer");
  const start = (username: string, password: string) => stage.logins.start({ provider: "test", username, password });
  const [plain = "", code = "", wrong = "", waiting = "", cancelled = ""] = users;

  const finished = await stage.logins.wait(await start(plain, "gfdsa"));
  if (finished.status !== "logged_in") throw new Error(finished.status);
  canaries.push(reveal(finished.key));

  const asked = await start(code, "asdfg");
  const answered = await openQuestion(await stage.logins.resume(asked)).answer("canary-answer");
  expect(answered.status).toBe("wrong_credentials");

  expect((await stage.logins.wait(await start(wrong, "canary-password"))).status).toBe("wrong_credentials");

  const open = await start(waiting, "asdfg");
  await stage.logins.resume(open);
  const given = await start(cancelled, "asdfg");
  await openQuestion(await stage.logins.resume(given)).cancel();
  for (const { key } of stage.bank.posted) if (key) canaries.push(key);
  expect(canaries.length).toBeGreaterThan(9);

  const rows: string[] = [];
  for (const table of sqlTables) {
    const found = await stage.server.query<Record<string, unknown>>(`SELECT * FROM ${table}`);
    rows.push(...found.map((row) => spelledOut(row)));
  }
  const stored = rows.join("\n");
  // What may be seen is seen: the search looks in the right place.
  expect(stored).toContain(open);
  expect(stored).toContain("awaitingInteraction");
  expect(stored).toContain("OTP required [secret]");
  expect(stored).toContain("POST /login/");
  for (const canary of canaries)
    expect(stored.includes(canary), `a canary of ${canary.length} letters, by SQL`).toBe(false);

  // A second look after a restart, which writes memory to files.
  await stage.server.crash();
  expect(await holds(stage.server.folder, "OTP required")).toBe(true);
  expect(await holds(stage.server.folder, open)).toBe(true);
  for (const canary of canaries) {
    expect(await holds(stage.server.folder, canary), `a canary of ${canary.length} letters, in a file`).toBe(false);
  }
});

/** A row as text; what is stored as bytes comes in hexadecimal or as a list of numbers. */
function spelledOut(row: Record<string, unknown>): string {
  return Object.values(row)
    .flatMap((value) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const isHex = typeof value === "string" && /^(0x)?([0-9a-f]{2})+$/i.test(value);
      return isHex ? [text, Buffer.from(value.replace(/^0x/, ""), "hex").toString("latin1")] : [text];
    })
    .join("\n");
}

/** Whether a text stands in any file of the folder, as it is. */
async function holds(folder: string, text: string): Promise<boolean> {
  return promisify(execFile)("grep", ["-rqaF", "--", text, folder]).then(
    () => true,
    ({ code }: { code: number }) => {
      if (code === 1) return false;
      throw new Error(`grep ended with ${code}`);
    },
  );
}
