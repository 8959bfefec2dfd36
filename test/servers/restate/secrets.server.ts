import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { reveal } from "ventanilla";
import { expect } from "vitest";
import { sessionKey } from "../../bank/service.ts";
import { findAccount, findForm } from "./counting-bank.ts";
import { openInteraction } from "./open-interaction.ts";
import { SEAL_KEY } from "./stage.ts";
import { createStageTest } from "./stage-test.ts";

// Searches all that Restate journals and stores for secrets, by its SQL interface and in its files.

const sqlTables = [
  "sys_invocation",
  "sys_journal",
  "sys_journal_events",
  "state",
  "sys_inbox",
  "sys_promise",
  "sys_keyed_service_status",
];

// Journals are kept for a day, and files are uncompressed: otherwise there would be nothing to find.
const test = createStageTest({ uncompressed: true, echoes: true, days: 1 });

test("a picture is in one journal on its way to the state, and in none after the answer", async ({ stage }) => {
  const account = ["mirador_gt", "captcha"] as const;
  const asked = await openInteraction(stage.logins, await stage.logins.start(findForm(...account)));
  const picture = asked.interaction.context;
  expect(asked.interaction).toMatchObject({ kind: "picture", picture: { mediaType: expect.any(String) } });

  /** The handlers in whose journals the picture stands, each invocation once. */
  const handlersWithPicture = async () => {
    const entries = await stage.server.query<{ id: string; handler: string; raw: string }>(
      `SELECT i.id AS id, i.target_handler_name AS handler, j.raw AS raw
       FROM sys_invocation i JOIN sys_journal j ON i.id = j.id`,
    );
    const holding = entries.filter(({ raw }) => Buffer.from(raw, "hex").includes(picture));
    return [...new Map(holding.map(({ id, handler }) => [id, handler])).values()].sort();
  };
  const hasStateWithPicture = async () => {
    const values = await stage.server.query<{ value: string }>("SELECT value_utf8 AS value FROM state");
    return values.some(({ value }) => value.includes(picture));
  };
  // `settled` is the call that shows it.
  expect(await handlersWithPicture()).toEqual(["perform", "settled"]);
  expect(await hasStateWithPicture()).toBe(true);

  expect((await asked.answer(findAccount(...account).answers?.[0]?.answer ?? "")).state).toBe("loggedIn");
  expect(await handlersWithPicture()).toEqual(["perform", "settled"]);
  expect(await hasStateWithPicture()).toBe(false);
});

test("no canary is in what the server journals and stores, although the bank repeats all it gets", async ({
  stage,
}) => {
  const { logins, bank, server } = stage;
  // A user for each login: the bank repeats what that login has sent.
  let users = 0;
  const start = (user: string, password: string) =>
    logins.start({ provider: "test", username: `${user}~canary-user-${users++}`, password });
  const ask = (id: string) => openInteraction(logins, id);

  const session = reveal(sessionKey(await logins.wait(await start("12345", "gfdsa"))));
  const refused = await (await ask(await start("12345otp", "asdfg"))).answer("canary-answer");
  expect(refused).toMatchObject({ failure: { code: "wrong_credentials" } });
  expect(await logins.wait(await start("12345otp", "canary-password"))).toMatchObject({
    failure: { code: "wrong_credentials" },
  });
  const waiting = await start("12345otp", "asdfg");
  await ask(waiting);
  await logins.cancel((await ask(await start("12345otp", "asdfg"))).id);

  const typed = ["asdfg", "gfdsa", "canary-user", "canary-password", "canary-answer"];
  const keys = bank.posted.flatMap(({ key }) => key ?? []);
  expect(keys.length).toBeGreaterThan(3);
  const canaries = [...typed, bank.apiKey, SEAL_KEY, session, ...keys];

  const rows: string[] = [];
  for (const table of sqlTables) {
    rows.push(...(await server.query<Record<string, unknown>>(`SELECT * FROM ${table}`)).map(formatRow));
  }
  const stored = rows.join("\n");
  // What is not secret is found: the search looks in the right place.
  expect(stored).toContain(waiting);
  expect(stored).toContain("awaitingInteraction");
  expect(stored).toContain("OTP required");
  expect(stored).toContain("POST /login/");
  expect(canaries.filter((canary) => stored.includes(canary))).toEqual([]);

  // A restart writes memory to files. While the server runs it also removes some, which ends a search with an error.
  await server.crash();
  process.kill(server.pid(), "SIGSTOP");
  for (const text of ["OTP required", waiting]) expect(await isInFiles(server.folder, text)).toBe(true);
  for (const canary of canaries) expect(await isInFiles(server.folder, canary), canary).toBe(false);
});

/** A row as text. Bytes come in hexadecimal, and are decoded. */
function formatRow(row: Record<string, unknown>): string {
  return Object.values(row)
    .flatMap((value) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const isHex = typeof value === "string" && /^(0x)?([0-9a-f]{2})+$/i.test(value);
      return isHex ? [text, Buffer.from(value.replace(/^0x/, ""), "hex").toString("latin1")] : [text];
    })
    .join("\n");
}

/** Whether a text is in any file of the folder, as it is. */
async function isInFiles(folder: string, text: string): Promise<boolean> {
  return promisify(execFile)("grep", ["-rqaF", "--", text, folder]).then(
    () => true,
    ({ code, stderr }: { code: number; stderr: string }) => {
      if (code === 1) return false;
      throw new Error(`grep ended with ${code}: ${stderr}`);
    },
  );
}
