import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { expect, test } from "vitest";
import { converse, readKey } from "./conversation.ts";

const known = { provider: "test", username: "12345otp", password: "asdfg" };
const form = (fields: Record<string, string>) => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});

/** A sandbox, its log, and the key of an interaction that waits. */
async function start() {
  const lines: string[] = [];
  const { ask, login } = converse(createSandbox({ log: (line) => lines.push(line) }));
  const key = readKey(await login(known));
  expect(lines).toEqual([]);
  return { ask, key, lines };
}

// What seven of eight public clients of this contract do (docs/sandbox.md).
test.each<[what: string, path: string, init: RequestInit, line: RegExp, message?: RegExp]>([
  [
    "a JSON body",
    "/login/",
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(known) },
    /^POST \/login\/: The body is JSON: send a form, application\/x-www-form-urlencoded/,
    /application\/x-www-form-urlencoded/,
  ],
  [
    "the key in the form",
    "/login/",
    form({ ...known, key: "KEY", otp: "8888" }),
    /: The form has a field called key: .* the query/,
  ],
  [
    "no user in the second login",
    "/login/?key=KEY",
    form({ otp: "8888" }),
    /: The second login has no provider: send provider, username and password again/,
  ],
  [
    "no password in the second login",
    "/login/?key=KEY",
    form({ ...known, password: "", otp: "8888" }),
    /: The second login has no password/,
  ],
  [
    "interactive fields at once",
    "/login/",
    form({ ...known, otp: "8888" }),
    /: otp is interactive: leave it out of the first login/,
  ],
  [
    "an answer under another name",
    "/login/?key=KEY",
    form({ ...known, code: "8888" }),
    /: The form has a field "code", and no otp: /,
  ],
  [
    "a field of another name",
    "/login/",
    form({ ...known, user: "ana" }),
    /: The form has a field "user": the names are those of auth_fields/,
  ],
  ["no API key", "/provider/", { headers: { "X-API-Key": "" } }, /^GET \/provider\/: Send the header X-API-Key/],
  ["another API key", "/provider/", { headers: { "X-API-Key": "guess" } }, /: The header X-API-Key has another key/],
  [
    "a doubled slash",
    "//provider/",
    {},
    /^GET \/\/provider\/: The path has two slashes in a row/,
    /two slashes in a row/,
  ],
])("%s is told in one line of the log, without a value", async (_, path, init, line, message) => {
  const { ask, key, lines } = await start();
  const body = typeof init.body === "string" ? init.body.replace("KEY", key) : undefined;
  const reply = await ask(path.replace("KEY", key), { ...init, ...(body !== undefined && { body }) });
  expect(lines).toEqual([expect.stringMatching(line)]);
  for (const value of [key, "12345otp", "asdfg", "8888", SANDBOX_API_KEY]) expect(lines[0]).not.toContain(value);
  if (message) expect(reply.body["message"]).toMatch(message);
});

test("what is right is not in the log, and a right second login neither", async () => {
  const { ask, key, lines } = await start();
  for (const path of ["/provider/", "/provider/test/"]) await ask(path);
  expect((await ask(`/login/?key=${key}`, form({ ...known, otp: "8888" }))).body.status).toBe("logged_in");
  expect(lines).toEqual([]);
});

test("a detail has the members of real ones", async () => {
  const { ask } = await start();
  expect((await ask("/provider/brou_pers_uy_mock/")).body["provider"]).toMatchObject({
    aliases: expect.arrayContaining([expect.any(String)]),
    bank: { code: "brou_pers_uy_mock", name: expect.any(String), logo: expect.stringMatching(/^https:/) },
    methods: { accounts: true, transfers: true, enrollments: false },
    endpoints_status: null,
  });
});
