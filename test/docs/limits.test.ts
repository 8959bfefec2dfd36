import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import {
  ANSWER_LIMIT,
  CLIENT_LIMIT,
  CONTEXT_LIMIT,
  DEPTH_LIMIT,
  KEY_LIMIT,
  LABEL_LIMIT,
  NAME_LIMIT,
  PICTURE_LIMIT,
  RESPONSE_LIMIT,
  TEXT_LIMIT,
} from "../../src/core/api/limits.ts";
import { readPicture } from "../../src/core/api/picture.ts";
import type { Reply } from "../bank/service.ts";
import { readFault } from "../core/api/faults.ts";
import { clientThatReads, FORM, SESSION_KEY } from "../core/api/local-bank.ts";

/** A row of "Limits" in docs/security.md. `at` and `above` do what a service does whose response is exactly at the limit, or one above it. */
interface Limit {
  readonly what: string;
  readonly limit: string;
  readonly beyond: string;
  readonly at: () => Promise<unknown>;
  readonly above: () => Promise<unknown>;
  /** What comes of the two. */
  readonly results: readonly [at: unknown, above: unknown];
}

const inWords = (number: number) => String(number).replace(/(?<=\d)(?=\d{3}$)/, ",");
const x = (length: number) => "x".repeat(length);
const cutAt = (length: number) => `${x(length - 1)}…`;
const reads = (json: unknown) => clientThatReads({ json });
const codeOf = async (call: Promise<unknown>) => (await readFault(call)).code;
const login = (json: object) => reads(json).login(FORM);
const listClients = (clients: object) => reads({ status: "success", clients }).listClients(SESSION_KEY);
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, id) => [id, "Ana"]));
const nest = (levels: number) => ({
  text: `{"status":"success","providers":[],"more":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`,
});
const fill = (bytes: number) => ({ text: `{"status":"success","providers":[]}`.padEnd(bytes) });
/** What a read of this response gets, and what a login gets: a status, or the code of a fault. */
const readAndLogin = async (reply: Reply) => {
  const client = clientThatReads(reply);
  const results = await Promise.allSettled([client.listProviders(), client.login(FORM)]);
  return results.map((result) => ("value" in result ? result.value.status : result.reason.code));
};
const asks = (member: object) => login({ status: "interaction_required", key: "k", field: "otp", ...member });
const png = (bytes: number) =>
  Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(bytes - 8)]).toString("base64");
const names = (count: number) => Array.from({ length: count }, (_, number) => `field${number}`);

const limits: readonly Limit[] = [
  {
    what: "a response",
    limit: `\`responseLimit\`, ${RESPONSE_LIMIT / 1024 ** 2} MiB`,
    beyond: "`response_against_contract`; of a login `outcome_unknown`",
    at: () => readAndLogin(fill(RESPONSE_LIMIT)),
    above: () => readAndLogin(fill(RESPONSE_LIMIT + 1)),
    results: [
      ["success", "unexpected_status"],
      ["response_against_contract", "outcome_unknown"],
    ],
  },
  {
    what: "levels of nesting in a response",
    limit: inWords(DEPTH_LIMIT),
    beyond: "`response_unreadable`; of a login `outcome_unknown`",
    at: () => readAndLogin(nest(DEPTH_LIMIT)),
    above: () => readAndLogin(nest(DEPTH_LIMIT + 1)),
    results: [
      ["success", "unexpected_status"],
      ["response_unreadable", "outcome_unknown"],
    ],
  },
  {
    what: "an interaction's text",
    limit: `${inWords(CONTEXT_LIMIT)} characters`,
    beyond: "cut, with an ellipsis",
    at: () => asks({ context: x(CONTEXT_LIMIT) }),
    above: () => asks({ context: x(CONTEXT_LIMIT + 1) }),
    results: [
      expect.objectContaining({ context: x(CONTEXT_LIMIT) }),
      expect.objectContaining({ context: cutAt(CONTEXT_LIMIT) }),
    ],
  },
  {
    what: "a refusal's message, its whole description",
    limit: `${inWords(TEXT_LIMIT)} characters`,
    beyond: "cut, with an ellipsis",
    at: () => login({ status: "error", message: x(TEXT_LIMIT), description: x(TEXT_LIMIT) }),
    above: () => login({ status: "error", message: x(TEXT_LIMIT + 1), description: x(TEXT_LIMIT + 1) }),
    results: [
      expect.objectContaining({
        wire: expect.objectContaining({ message: x(TEXT_LIMIT), description: x(TEXT_LIMIT) }),
      }),
      expect.objectContaining({
        wire: expect.objectContaining({ message: cutAt(TEXT_LIMIT), description: cutAt(TEXT_LIMIT) }),
      }),
    ],
  },
  {
    what: "a picture that a bank asks about",
    limit: `${PICTURE_LIMIT / 1024} KiB; PNG, JPEG, GIF or WebP`,
    beyond: "not shown",
    at: async () => readPicture(png(PICTURE_LIMIT))?.mediaType,
    above: async () => readPicture(png(PICTURE_LIMIT + 1)),
    results: ["image/png", undefined],
  },
  {
    what: "the name of a bank, a client or a destination",
    limit: `${inWords(LABEL_LIMIT)} characters`,
    beyond: "cut, with an ellipsis",
    at: () => listClients({ 1: x(LABEL_LIMIT) }),
    above: () => listClients({ 1: x(LABEL_LIMIT + 1) }),
    results: [
      expect.objectContaining({ clients: [{ id: "1", name: x(LABEL_LIMIT) }] }),
      expect.objectContaining({ clients: [{ id: "1", name: cutAt(LABEL_LIMIT) }] }),
    ],
  },
  {
    what: "a client's id",
    limit: `${inWords(NAME_LIMIT)} characters`,
    beyond: "left out, and counted; `response_against_contract` if no client is left",
    at: () => listClients({ [x(NAME_LIMIT)]: "Ana" }),
    above: async () => [
      await listClients({ [x(NAME_LIMIT + 1)]: "Ana", 2: "Luis" }),
      await codeOf(listClients({ [x(NAME_LIMIT + 1)]: "Ana" })),
    ],
    results: [
      expect.objectContaining({ clients: [{ id: x(NAME_LIMIT), name: "Ana" }] }),
      [expect.objectContaining({ clients: [{ id: "2", name: "Luis" }], skipped: 1 }), "response_against_contract"],
    ],
  },
  {
    what: "the name of a field that an interaction asks for",
    limit: `${inWords(NAME_LIMIT)} characters`,
    beyond: "[as without a name](reliability.md#what-comes-malformed)",
    at: () => asks({ field: x(NAME_LIMIT) }),
    above: () => asks({ field: x(NAME_LIMIT + 1) }),
    results: [
      expect.objectContaining({ field: x(NAME_LIMIT) }),
      expect.not.objectContaining({ field: expect.anything() }),
    ],
  },
  {
    what: "fields that an interaction asks for",
    limit: inWords(ANSWER_LIMIT),
    beyond: "the others are not asked for",
    at: () => asks({ field: names(ANSWER_LIMIT) }),
    above: () => asks({ field: names(ANSWER_LIMIT + 1) }),
    results: [
      expect.objectContaining({ fields: names(ANSWER_LIMIT) }),
      expect.objectContaining({ fields: names(ANSWER_LIMIT) }),
    ],
  },
  {
    what: "a session key",
    limit: `${inWords(KEY_LIMIT)} characters`,
    beyond: "`response_against_contract`",
    at: async () => (await login({ status: "logged_in", key: x(KEY_LIMIT) })).status,
    above: () => codeOf(login({ status: "logged_in", key: x(KEY_LIMIT + 1) })),
    results: ["logged_in", "response_against_contract"],
  },
  {
    what: "the clients of one user",
    limit: inWords(CLIENT_LIMIT),
    beyond: "`response_against_contract`",
    at: async () => (await listClients(many(CLIENT_LIMIT))).status,
    above: () => codeOf(listClients(many(CLIENT_LIMIT + 1))),
    results: ["success", "response_against_contract"],
  },
];

const BEGIN = "<!-- limits: written by test/docs/limits.test.ts -->\n\n";
const END = "\n\n<!-- end of the limits -->";

test("docs/security.md has these limits", async () => {
  const rows = limits.map(({ what, limit, beyond }) => `| ${what} | ${limit} | ${beyond} |`);
  const table = ["| what | limit | beyond it |", "|---|---|---|", ...rows].join("\n");
  const file = new URL("../../docs/security.md", import.meta.url);
  const [before = "", rest = ""] = (await readFile(file, "utf8")).split(BEGIN);
  const [, after = ""] = rest.split(END);
  await expect([before, BEGIN, table, END, after].join("")).toMatchFileSnapshot(file.pathname);
});

describe("a response that has exactly the limit, and one more, of", () => {
  test.each(limits)("$what", async ({ at, above, results }) => {
    expect([await at(), await above()]).toEqual(results);
  });
});
