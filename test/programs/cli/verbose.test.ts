import { expect, test } from "vitest";
import { watchedBank } from "../../bank/watched-bank.ts";
import { findFreePort } from "../../free-port.ts";
import { asWords } from "../../leaks/canaries.ts";
import { codeUser, run, runLogin } from "./program.ts";

test("--verbose says each request and response, without a secret", async () => {
  const { environment, requests } = await watchedBank();
  const credentials = { ...codeUser, answers: { otp: "8888" } };
  const { code, stderr } = await runLogin("test", credentials, ["--verbose"], { environment });
  expect(code).toBe(0);
  const said = stderr.split("\n").filter((line) => /^[<>] /.test(line));
  expect(said.filter((line) => line.startsWith("> "))).toHaveLength(requests.length);
  expect(said).toContainEqual(expect.stringMatching(/^> POST http:\S+\/login\/\?key=\[secret\] \(1\)$/));
  expect(said).toContainEqual(expect.stringMatching(/^< 200 POST http:\S+\/login\/ \(\d+ ms\)$/));
  expect(stderr).not.toMatch(asWords("asdfg", "8888", "12345otp"));
});

test.each([
  ["en", "The service can't be reached."],
  ["es", "No se pudo llegar al servicio."],
  ["pt", "Não foi possível chegar ao serviço."],
])("in %s an unreachable service is not blamed on the person's connection", async (locale, text) => {
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const environment = { VENTANILLA_BASE_URL: url, VENTANILLA_API_KEY: "k" };
  const { code, stderr } = await run(["fields", "test", "--locale", locale], { environment });
  expect(code).toBe(4);
  expect(stderr).toContain(text);
  expect(stderr).toContain("ECONNREFUSED");
  expect(stderr).not.toMatch(/internet/i);
});

test("a missing variable is not a field of a bank", async () => {
  const environment = { VENTANILLA_BASE_URL: "http://127.0.0.1:1" };
  const { code, stderr } = await run(["fields", "test"], { environment });
  expect(code).toBe(2);
  expect(stderr).toContain("An option, a variable or a form field is missing.");
  expect(stderr).toContain("VENTANILLA_API_KEY");
});
