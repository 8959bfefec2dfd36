import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startService } from "../bank/service.ts";
import { parrot } from "../leaks/echoes.ts";
import { flowCanaries } from "../leaks/flows.ts";
import { ownFolder, run } from "./program.ts";

type Say = Parameters<typeof parrot>[0][number];

const canaries = flowCanaries();
const {
  apiKey,
  username,
  password,
  companyCode,
  firstAnswer,
  secondAnswer,
  firstKey,
  secondKey,
  sessionKey,
  otherKey,
} = canaries;

const credentials = {
  username: username.value,
  password: password.value,
  fields: { company_code: companyCode.value },
  answers: { otp: firstAnswer.value, token: secondAnswer.value },
};

/** A bank's answer with an echo in every member that is a text, beside those that it needs. */
const everywhere =
  (members: object, http = 200): Say =>
  (echo, all) => ({
    http,
    json: {
      code: echo,
      type: echo,
      message: echo,
      description: [echo, { [echo]: echo }],
      context: echo,
      [echo]: echo,
      ...Object.fromEntries(all.map((value) => [value, value])),
      ...members,
    },
  });

const detail: Say = (echo, all) => ({
  json: {
    status: "success",
    provider: {
      name: echo,
      country: echo,
      logo: echo,
      account_type: all.map((name) => ({ name, label_en: echo })),
      auth_fields: [
        { name: "company_code", type: echo, interactive: false, label_en: echo, default: echo, choices: [] },
        ...all.map((name) => ({ name, type: name, interactive: true, label_en: name, default: name })),
      ],
    },
  },
});

const question = (field: string, key: string) => everywhere({ status: "interaction_required", field, key });
const questions = [question("otp", firstKey.value), question("token", secondKey.value)];

// A client may be known by the number that its user logs in with, so those two are left as ids: they are sent back.
const isId = (value: string) => value !== username.value && value !== companyCode.value;

const listed: Say = (echo, all) => ({
  json: {
    status: "success",
    clients: Object.fromEntries([["7", echo], ...all.filter(isId).map((value) => [value, value])]),
  },
});

const sealKey = randomBytes(32).toString("base64");
const login = ["login", "test", "--credentials-from", "credentials.json", "--events", "--record", "run.json"];

test.each<[string, readonly string[], readonly Say[], number, RegExp]>([
  [
    "login, at a question",
    login,
    [detail, ...questions, question("otp", otherKey.value)],
    11,
    /^interaction_required: .*\(\[secret\]/m,
  ],
  [
    "login --json, paused at the choice of a client",
    [...login, "--json", "--pause-to", "paused.login"],
    [detail, ...questions, everywhere({ status: "select_client", key: sessionKey.value }), listed],
    12,
    /"clients":\[\{"id":"7","name":"\[secret\]/,
  ],
  [
    "batch --json: a question, a refusal, a status that is an echo, a field that is one, a session",
    ["batch", "logins.jsonl", "--out", "results.jsonl", "--concurrency", "1", "--seal-keys", "--json"],
    [
      ...questions,
      question("otp", otherKey.value),
      everywhere({ status: "wrong_credentials", key: otherKey.value }, 403),
      everywhere({ status: `bad-${apiKey.value}` }),
      everywhere({ status: "interaction_required", field: password.value, key: "k" }),
      everywhere({ status: "logged_in", key: sessionKey.value }),
    ],
    8,
    // Of an answer that has an echo where a name is to be, nothing is left.
    /"status":"response_against_contract","field":"field"/,
  ],
])("a bank that repeats all that it ever got shows nothing of it by %s", async (_, words, script, code, left) => {
  const cwd = await ownFolder();
  const logins = ["a", "b", "c", "d", "e"].map((id) => JSON.stringify({ id, provider: "test", ...credentials }));
  const given = { "credentials.json": JSON.stringify(credentials), "logins.jsonl": `${logins.join("\n")}\n` };
  for (const [name, text] of Object.entries(given)) await writeFile(join(cwd, name), text, { mode: 0o600 });
  const bank = await startService(parrot(script));
  const environment = {
    VENTANILLA_BASE_URL: bank.url,
    VENTANILLA_API_KEY: apiKey.value,
    VENTANILLA_SEAL_KEY: sealKey,
  };
  const result = await run(words, { cwd, environment });
  expect(result).toMatchObject({ code });
  expect(bank.requests).toHaveLength(script.length);
  const names = (await readdir(cwd)).filter((name) => !(name in given));
  const files = await Promise.all(names.map((name) => readFile(join(cwd, name), "utf8")));
  const written = [result.stdout, result.stderr, ...files];
  expect(written.join()).toMatch(left);
  const found = Object.values(canaries).filter(({ token }) => written.join().includes(token));
  expect(found).toEqual([]);
});
