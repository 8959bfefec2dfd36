import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createBankClient, login } from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { describe, expect, test } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { isLogin, type Seen, watchedBank } from "./bank.ts";
import { type Ending, ownFolder, parseLines, run } from "./program.ts";

type Situation = () => Promise<{ code: number | null; status: unknown }>;

/** How a process ended: its exit code, and the status of its last line. */
const ended = (ending: Ending) => ({ code: ending.code, status: parseLines(ending).at(-1)?.["status"] });

const credentials = (username: string, password = "s3creto", more: object = {}) =>
  JSON.stringify({ username, password, ...more });

/** A login on the embedded sandbox. */
const sandboxed =
  (provider: string, input: string, words: string[] = []): Situation =>
  async () =>
    ended(await run(["login", provider, "--credentials-from", "-", "--json", ...words], { input }));

/** A login at a bank that answers it like this. */
const answered =
  (
    answer: (seen: Seen) => Response | "hang" | "cut" | undefined,
    words: string[] = [],
    input = credentials("12345"),
  ): Situation =>
  async () => {
    const bank = await watchedBank({ answer: (seen) => (isLogin(seen) ? answer(seen) : undefined) });
    const options = { input, environment: bank.environment };
    return ended(await run(["login", "test", "--credentials-from", "-", "--json", ...words], options));
  };

const envelope = (code: string) => answered(() => Response.json({ status: "error", code, message: "No" }));
const said = (message: string, status = 200) => answered(() => Response.json({ status: "error", message }, { status }));
const plainly =
  (words: string[], input = ""): Situation =>
  async () =>
    ended(await run([...words, "--json"], { input }));

interface Paused {
  readonly token: string;
  readonly environment: Record<string, string>;
}

/** A paused login, whose token, key or service is then changed. */
const resumed =
  (change: (paused: Paused) => Partial<Paused>, { sealTtl = 60_000 } = {}): Situation =>
  async () => {
    const bank = await watchedBank();
    const cwd = await ownFolder();
    const key = randomBytes(32).toString("base64");
    const environment = { ...bank.environment, VENTANILLA_SEAL_KEY: key };
    const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });
    const person = { provider: "test", username: "12345otp", password: "asdfg" };
    const outcome = await login(client, { ...person, onInteraction: (_, { outcome }) => outcome });
    if (outcome.status !== "interaction_required") throw new Error(outcome.status);
    const pausedAt = Date.now();
    const token = await outcome.pause({ key, sealTtl });
    // Tokens expire in whole seconds.
    if (sealTtl < 1000) await expect.poll(() => Date.now() - pausedAt).toBeGreaterThan(2000);
    const changed = { token, environment, ...change({ token, environment }) };
    await writeFile(join(cwd, "paused"), changed.token);
    const words = ["login", "--resume", "paused", "--answer-command", "echo 8888", "--json"];
    return ended(await run(words, { cwd, environment: changed.environment }));
  };

const distrusted: Situation = async () => {
  const cwd = await ownFolder();
  await writeFile(join(cwd, "ventanilla.config.json"), JSON.stringify({ baseUrl: "https://bank.invalid" }));
  return ended(await run(["providers", "--json"], { cwd, environment: { VENTANILLA_API_KEY: "key" } }));
};

const nobody: Situation = async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  const port = typeof address === "object" && address ? address.port : 0;
  const words = ["logout", "--json", "--base-url", `http://127.0.0.1:${port}`, "--api-key-from", "-"];
  return ended(await run(words, { input: "key", environment: { VENTANILLA_SESSION_KEY: "k".repeat(32) } }));
};

const loggedOut: Situation = async () => {
  const bank = await watchedBank({ answer: () => Response.json({ status: "logged_out" }) });
  return ended(
    await run(["logout", "--json"], {
      environment: { ...bank.environment, VENTANILLA_SESSION_KEY: "k".repeat(32) },
    }),
  );
};

const batched: Situation = async () => {
  const cwd = await ownFolder();
  const line = { id: "a", provider: "test", username: "12345", password: "no" };
  await writeFile(join(cwd, "logins.jsonl"), JSON.stringify(line));
  const { code } = await run(["batch", "logins.jsonl", "--out", "results.jsonl"], { cwd });
  return { code, status: "batch_incomplete" };
};

const choosing =
  (answer: () => Response): Situation =>
  async () => {
    const bank = await watchedBank({
      answer: (seen) => {
        if (isLogin(seen)) return Response.json({ status: "select_client", key: "k".repeat(32) });
        if (seen.path.startsWith("/client/9/")) return Response.json({ status: "error", message: "wrong_client" });
        return seen.path.startsWith("/client/") ? answer() : undefined;
      },
    });
    const words = ["login", "test", "--credentials-from", "-", "--client", "9", "--json"];
    return ended(await run(words, { input: credentials("12345"), environment: bank.environment }));
  };

const closing = (): Situation => async () => {
  const bank = await watchedBank({
    answer: (seen) => {
      if (isLogin(seen)) return Response.json({ status: "max_sessions_reached", key: "k".repeat(32) });
      return seen.path.startsWith("/logout/") ? Response.json({ status: "error", code: "B1009" }) : undefined;
    },
  });
  const words = ["login", "test", "--credentials-from", "-", "--replace-session", "--json"];
  return ended(await run(words, { input: credentials("12345"), environment: bank.environment }));
};

const again = answered(
  () => Response.json({ status: "interaction_required", key: "k".repeat(32), field: "otp", context: "Again" }),
  ["--answer-command", "echo 1"],
);

/** Every way in which the command can end, reached in this process. By hand: the code that it must have. */
const situations: Record<string, readonly [code: number, reach: Situation]> = {
  success: [0, async () => ({ ...(await plainly(["providers"])()), status: "success" })],
  logged_in: [0, sandboxed("test", credentials("12345", "gfdsa"))],
  logged_out: [0, loggedOut],
  invalid_input: [2, plainly(["providers", "--color"])],
  missing_field: [3, plainly(["login", "test"])],
  unknown_field: [4, sandboxed("test", credentials("12345", "gfdsa", { fields: { branch: "9" } }))],
  untrusted_address: [9, distrusted],
  insecure_address: [13, plainly(["providers", "--base-url", "http://bank.invalid", "--api-key-from", "-"], "key")],
  secret_in_argument: [5, plainly(["login", "test", "--password", "x"])],
  file_unusable: [6, plainly(["login", "test", "--credentials-from", "/nonexistent/login.json"])],
  part_missing: [7, plainly(["play"])],
  batch_incomplete: [8, batched],
  select_client: [10, sandboxed("canal_pa", credentials("newkey", "s3creto", { fields: { company_code: "7701" } }))],
  interaction_required: [11, sandboxed("faro_uy", credentials("otp"))],
  wrong_credentials: [20, sandboxed("test", credentials("12345", "wrong"))],
  missing_credentials: [21, answered(() => Response.json({ status: "missing_credentials" }, { status: 400 }))],
  provider_doesnt_exist: [22, sandboxed("nobody", credentials("x"))],
  user_blocked: [23, sandboxed("faro_uy", credentials("blocked"))],
  max_sessions_reached: [24, sandboxed("faro_uy", credentials("sessions"))],
  provider_unavailable: [25, sandboxed("niebla_py", credentials("plain"))],
  missing_params: [26, sandboxed("rareza_do", credentials("params"))],
  not_implemented: [27, sandboxed("rareza_do", credentials("notyet"))],
  wrong_answer: [28, envelope("B1002")],
  missing_answer: [29, envelope("B1003")],
  provider_session_expired: [30, envelope("B1006")],
  provider_login_failed: [31, sandboxed("rareza_do", credentials("broken"))],
  password_change_required: [32, sandboxed("bahia_es", credentials("renew"))],
  logout_failed: [33, closing()],
  wrong_client: [34, choosing(() => Response.json({ status: "success", clients: { "9": "Nine" } }))],
  invalid_key: [35, said("Invalid key")],
  unauthorized_provider: [36, sandboxed("rareza_do", credentials("unauthorized"))],
  missing_api_key: [37, said("Missing API key", 401)],
  unknown_api_key: [38, said("Key not found", 403)],
  unexpected_status: [39, sandboxed("rareza_do", credentials("novelty"))],
  cancelled: [40, sandboxed("test", credentials("12345otp", "asdfg"), ["--answer-command", "true"])],
  expired: [
    41,
    sandboxed("test", credentials("12345otp", "asdfg"), ["--answer-command", "sleep 9", "--answer-timeout", "0.2"]),
  ],
  too_many_interactions: [42, again],
  no_clients: [43, choosing(() => Response.json({ status: "success", clients: {} }))],
  network_failed: [60, nobody],
  request_timed_out: [61, answered(() => "hang", ["--timeout", "0.5"])],
  redirect_refused: [64, answered(() => new Response(null, { status: 302, headers: { location: "/x" } }))],
  response_unreadable: [65, answered(() => new Response("<html>"))],
  response_against_contract: [66, answered(() => Response.json({ status: "logged_in", key: 7 }))],
  response_too_large: [67, answered(() => new Response(" ".repeat(2 ** 22 + 1)))],
  access_refused: [68, answered(() => new Response("", { status: 403 }))],
  rate_limited: [69, answered(() => new Response("", { status: 429 }))],
  service_unavailable: [70, answered(() => new Response("", { status: 503 }))],
  http_failed: [71, answered(() => new Response("", { status: 500 }))],
  handler_failed: [81, sandboxed("test", credentials("12345otp", "asdfg"), ["--answer-command", "false"])],
  token_incomplete: [83, resumed(({ token }) => ({ token: token.slice(0, 50) }))],
  token_altered: [
    84,
    resumed(({ token }) => ({
      token:
        token.slice(0, 200) +
        token.slice(200, 210).replace(/./g, (sign) => (sign === "A" ? "B" : "A")) +
        token.slice(210),
    })),
  ],
  token_expired: [85, resumed(() => ({}), { sealTtl: 500 })],
  token_of_another_version: [86, resumed(({ token }) => ({ token: ofAnotherVersion(token) }))],
  token_of_another_key: [
    87,
    resumed(({ environment }) => ({
      environment: { ...environment, VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64") },
    })),
  ],
  token_of_another_address: [
    88,
    resumed(({ environment }) => ({
      environment: { ...environment, VENTANILLA_BASE_URL: `${environment["VENTANILLA_BASE_URL"]}/other` },
    })),
  ],
};

/** Reached in a file of their own, or kept for what can't be brought about from outside. */
const elsewhere = {
  // login-script.test.ts
  paused: 12,
  // batch.test.ts, as the status of a login
  outcome_unknown: 63,
  // Of the library: the command gives whole secrets, and its requests end with a signal's code.
  unexpected_fault: 1,
  request_aborted: 62,
  secret_unavailable: 80,
  login_not_waiting: 82,
  token_used: 89,
  outcome_used: 90,
};

function ofAnotherVersion(token: string): string {
  const [header = "", ...rest] = token.split(".");
  const content = JSON.parse(Buffer.from(header, "base64url").toString("utf8"));
  const changed = JSON.stringify({ ...content, typ: "ventanilla-login-9" });
  return [Buffer.from(changed).toString("base64url"), ...rest].join(".");
}

describe("each exit code is reached", () => {
  test.each(Object.entries(situations))("%s", async (name, [code, reach]) => {
    expect(await reach()).toEqual({ code, status: name });
  });
});

test("the table holds these codes and no other, and none of them twice but 0", () => {
  const known = Object.fromEntries(Object.entries(situations).map(([name, [code]]) => [name, code]));
  expect(exitCodes).toEqual({ ...known, ...elsewhere });
  const codes = Object.values(exitCodes).filter((code) => code !== 0);
  expect(new Set(codes).size).toBe(codes.length);
});
