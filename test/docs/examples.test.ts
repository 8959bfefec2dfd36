import { readdir, readFile } from "node:fs/promises";
import { afterEach, expect, test, vi } from "vitest";

const folder = new URL("../../docs/examples/", import.meta.url);

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What an example prints, as a person would see it. */
async function run(name: string): Promise<unknown[][]> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(new URL(`${name}.ts`, folder).href);
  return log.mock.calls;
}

const found = [expect.any(Object), expect.any(Object)];

/** What the examples print. */
const examples: Readonly<Record<string, unknown[][]>> = {
  login: [
    ["The bank asks for otp: OTP required"],
    [
      {
        status: "success",
        destinations: [
          { id: 1, name: "Institución de prueba 1" },
          { id: 2, name: "Institución de prueba 2" },
        ],
        skipped: 0,
      },
    ],
  ],
  batch: [
    ["ana", "loggedIn"],
    ["luis", "wrong_credentials"],
    ["ana", "outcome_unknown", "journal"],
    ["luis", "outcome_unknown", "journal"],
    ["luis", "loggedIn"],
  ],
  refusals: [
    ["wrong_credentials", undefined],
    ["known_wrong", expect.any(Number)],
    ["known_wrong", expect.any(Number)],
  ],
  captcha: [["image/png"], ["loggedIn"]],
  handlers: [["The bank asks for otp: OTP required"], ["loggedIn"]],
  providers: [
    [{ code: "canal_pa", country: "PA", name: "Banco Canal Verde" }],
    ["username: User name"],
    ["password: Password"],
    ["company_code: Company code"],
    ["token: Token (asked for later)"],
  ],
  "select-client": [
    [
      [
        { id: "FIC-02412222", name: expect.any(String) },
        { id: "FIC-02419999", name: expect.any(String) },
      ],
    ],
    ["loggedIn"],
  ],
  failures: [
    [
      "wrong_credentials",
      "El usuario, la contraseña u otro dato no son correctos. Revíselos y vuelva a intentarlo.",
      false,
    ],
    ["network_failed", expect.stringContaining("Não foi possível conectar."), "ECONNREFUSED"],
  ],
  cancel: [
    ["idle"],
    // The fields are checked, and then sent.
    ["submitting"],
    ["submitting"],
    ["awaitingInteraction"],
    ["idle"],
    ["close the prompt"],
    ["cancelled"],
  ],
  statechart: [
    ["idle", ""],
    // The fields are checked, and then sent.
    ["submitting", "…"],
    ["submitting", "…"],
    ["Nombre de la empresa más grande de OpenBanking en LATAM"],
    ["awaitingInteraction", ""],
    ["submitting", "…"],
    ["loggedIn", ""],
    [
      {
        id: expect.any(String),
        provider: "test",
        key: expect.toSatisfy((key) => String(key) === "[secret]"),
        loggedInAt: expect.any(Number),
      },
    ],
  ],
  graph: [
    [48],
    [["xstate.init", "credentials.submit", "xstate.done.actor.checkFields", "xstate.done.actor.submitCredentials"]],
    [true],
    [["basket", "loggingIn", "paying"]],
  ],
  provide: [
    ["Which colour?"],
    [
      {
        id: expect.any(String),
        provider: "river",
        key: expect.toSatisfy((key) => String(key) === "[secret]"),
        loggedInAt: expect.any(Number),
      },
    ],
  ],
  approval: [["Approve it in the Hill app"], ["loggedIn", ["POST /connections", "POST /connections/c-2/answer"]]],
  "another-service": [
    ["The code of your River card"],
    [{ status: "success", destinations: [{ id: 7, name: "Ana's savings" }], skipped: 0 }],
    [["POST /connections", "POST /connections/c-1/answer"]],
  ],
  pause: [
    [true],
    ["OTP required"],
    [{ status: "success", destinations: found, skipped: 0 }],
    ["token_used", "Usted ya continuó, quizás en otra ventana. Si no es así, vuelva a ingresar."],
  ],
  server: [
    ["first instance:", { status: "code_needed", question: "OTP required" }],
    ["its cookie:", "Max-Age=300; Path=/login; HttpOnly; Secure; SameSite=Strict"],
    ["second instance:", { status: "success", destinations: found, skipped: 0 }],
    ["its cookie:", "login=; Max-Age=0; Path=/login; HttpOnly; Secure; SameSite=Strict"],
    ["the same cookie again:", 400, { status: "token_used" }],
  ],
  "own-banks": [["asked:", "Código del token"], ["loggedIn"], ["invalid_input", "banks.0.accounts.0.answers.0.field"]],
  link: [
    ["loadingProviders"],
    ["choosingProvider"],
    ["18 banks"],
    ["loadingFields"],
    // The link has its login, and then the login tells of itself.
    ["idle"],
    ["idle"],
    // An event goes on to the login inside; the fields are checked, and then sent.
    ["submitting"],
    ["submitting"],
    ["submitting"],
    ["loadingDestinations"],
    ["linked"],
    [expect.objectContaining({ state: "linked", provider: "faro_uy" })],
  ],
  relay: [
    ["log:", "GET /provider/{code}/", 200, "success"],
    ["log:", "POST /login/", 200, "interaction_required"],
    ["browser:", "OTP required"],
    ["server: logged in at test with [secret]"],
    ["log:", "POST /login/", 200, "logged_in"],
    ["log:", "GET /transfer/destinations", 200, "success"],
    ["browser:", "success"],
  ],
  "relay-app": [
    ["log:", "GET /provider/{code}/", 200, "success"],
    ["log:", "POST /login/", 200, "interaction_required"],
    ["app:", "OTP required"],
    ["server: ana logged in at test with [secret]"],
    ["log:", "POST /login/", 200, "logged_in"],
    ["app:", "loggedIn"],
    ["log:", "POST /login/", 401, "app_refused"],
    ["stranger:", "app_refused", expect.stringContaining("No se pudo verificar esta aplicación.")],
  ],
  inspect: [
    ["Watch at", expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/#watch$/)],
    ["or with a receiver at", expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/)],
    ["loggedIn"],
  ],
  record: [
    ["failed", false],
    [
      "failed",
      {
        id: expect.any(String),
        provider: "faro_uy",
        sessionReplaced: false,
        failure: { kind: "outcome", code: "user_blocked", httpStatus: 403 },
      },
    ],
  ],
  telemetry: [
    ["login.started", "test", "submitting", "started"],
    ["interaction.required", "test", "awaitingInteraction", "interaction_required"],
    ["asked for", "otp"],
    ["interaction.answered", "test", "submitting", "answered"],
    ["login.finished", "test", "loggedIn", "logged_in"],
    ["login.started", "test", "submitting", "started"],
    ["login.failed", "test", "failed", "wrong_credentials"],
    ["a fault:", false, "HTTP", 403],
  ],
  // Without a Restate server it serves, and ends.
  restate: [["serves ventanilla-login-1"]],
};

test.each(Object.entries(examples))("docs/examples/%s.ts prints what its page says", async (name, printed) => {
  vi.stubEnv("PORT", "0");
  vi.stubEnv("RESTATE_LOGGING", "ERROR");
  expect(await run(name)).toEqual(printed);
});

test("docs/telemetry.md shows lines that docs/examples/telemetry.ts prints", async () => {
  const page = await readFile(new URL("../../docs/telemetry.md", import.meta.url), "utf8");
  const [, shown = ""] = /```\n(login\.started[\s\S]*?)\n```/.exec(page) ?? [];
  expect(examples["telemetry"]?.map((line) => line.join(" "))).toEqual(expect.arrayContaining(shown.split("\n")));
});

test("docs/examples/paths.ts prints what docs/testing.md shows", async () => {
  // As without a test runner.
  vi.stubEnv("VITEST", undefined);
  vi.stubEnv("JEST_WORKER_ID", undefined);
  const lines = (await run("paths")).map(([line]) => line).join("\n");
  // On any machine.
  const printed = lines.replace(
    /[\d.]+ s without a change; \d+ looks of \d+ ms/,
    "3 s without a change; 240 looks of 0 ms",
  );
  expect(printed.split("\n")).toHaveLength(7);
  const guide = await readFile(new URL("../testing.md", folder), "utf8");
  const shown = guide.replace(/(?<=It prints:\n\n```\n)[\s\S]*?(?=```)/, () => `${printed}\n`);
  expect(shown).toContain(printed);
  await expect(shown).toMatchFileSnapshot("../../docs/testing.md");
});

test("no example is left out", async () => {
  // What other examples share is run by those, and the stores by test/core/stores.
  const others = [
    "paths.ts",
    "redis-http.ts",
    "serverless.ts",
    "sqlite-store.ts",
    "drain.ts",
    "form.ts",
    "hosted.ts",
    "sandbox-client.ts",
    "set-up.ts",
    "sources.ts",
  ];
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts") && !others.includes(name));
  expect(
    Object.keys(examples)
      .map((name) => `${name}.ts`)
      .sort(),
  ).toEqual(files.sort());
});
