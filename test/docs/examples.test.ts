import { readdir, readFile } from "node:fs/promises";
import { afterEach, describe, expect, test, vi } from "vitest";

const folder = new URL("../../docs/examples/", import.meta.url);

afterEach(() => vi.restoreAllMocks());

/** What an example prints, as a person would see it. */
async function run(name: string): Promise<unknown[][]> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(new URL(`${name}.ts`, folder).href);
  return log.mock.calls;
}

describe("each example in docs/examples runs and prints what its page says", () => {
  test("login", async () => {
    expect(await run("login")).toEqual([
      ["The bank asks for otp: OTP required"],
      [
        {
          status: "success",
          destinations: [
            { id: 1, name: "Institución de prueba 1" },
            { id: 2, name: "Institución de prueba 2" },
          ],
        },
      ],
    ]);
  });

  test("captcha", async () => {
    expect(await run("captcha")).toEqual([["image/png, 230 x 65"], ["logged_in"]]);
  });

  test("handlers", async () => {
    expect(await run("handlers")).toEqual([["The bank asks for otp: OTP required"], ["logged_in"]]);
  });

  test("providers", async () => {
    expect(await run("providers")).toMatchInlineSnapshot(`
      [
        [
          {
            "code": "canal_pa",
            "country": "PA",
            "name": "Banco Canal Verde",
          },
        ],
        [
          "username: User name",
        ],
        [
          "password: Password",
        ],
        [
          "company_code: Company code",
        ],
        [
          "token: Token (asked for later)",
        ],
      ]
    `);
  });

  test("select-client", async () => {
    expect(await run("select-client")).toEqual([
      [
        [
          { id: "FIC-02412222", name: expect.any(String) },
          { id: "FIC-02419999", name: expect.any(String) },
        ],
      ],
      ["logged_in"],
    ]);
  });

  test("failures", async () => {
    expect(await run("failures")).toEqual([
      ["wrong_credentials", "El usuario o la contraseña no son correctos.", false],
      ["network_failed", "Não foi possível conectar ao serviço. Verifique sua conexão.", "ECONNREFUSED"],
    ]);
  });

  test("cancel", async () => {
    expect(await run("cancel")).toEqual([
      ["idle"],
      ["submitting"],
      ["awaitingInteraction"],
      ["idle"],
      ["close the prompt"],
      ["cancelled"],
    ]);
  });

  test("statechart", async () => {
    const printed = await run("statechart");
    expect(printed.slice(0, -1)).toEqual([
      ["idle", ""],
      ["submitting", "…"],
      ["What is your lucky number?"],
      ["awaitingInteraction", ""],
      ["submitting", "…"],
      ["loggedIn", ""],
    ]);
    expect(JSON.stringify(printed.at(-1))).toBe('[{"provider":"test","key":"[secret]"}]');
  });

  test("pause", async () => {
    expect(await run("pause")).toEqual([
      [true],
      ["OTP required"],
      [{ status: "success", destinations: [expect.any(Object), expect.any(Object)] }],
      ["token_used", "El ingreso ya fue retomado."],
    ]);
  });

  test("server", async () => {
    const expired = "login=; Max-Age=0; Path=/login; HttpOnly; Secure; SameSite=Strict";
    expect(await run("server")).toEqual([
      ["first instance:", { status: "code_needed", question: "OTP required" }],
      ["its cookie:", "Max-Age=300; Path=/login; HttpOnly; Secure; SameSite=Strict"],
      ["second instance:", { status: "success", destinations: [expect.any(Object), expect.any(Object)] }],
      ["its cookie:", expired],
      ["the same cookie again:", 400, { status: "token_used" }],
    ]);
  });

  test("link", async () => {
    const printed = await run("link");
    expect(printed.slice(0, -1).map(([value]) => value)).toEqual([
      "loadingProviders",
      "choosingProvider",
      "17 banks",
      "loadingFields",
      // The fields are there, but the login inside has not told of itself yet.
      "loadingFields",
      "enteringCredentials",
      // An event that goes on to the login inside shows the flow's snapshot again.
      "enteringCredentials",
      "submitting",
      "loadingDestinations",
      "linked",
    ]);
    expect(printed.at(-1)).toEqual([expect.objectContaining({ status: "linked", provider: "faro_uy" })]);
  });

  test("relay", async () => {
    expect(await run("relay")).toEqual([
      ["log:", "POST /login/", 200, "interaction_required"],
      ["browser:", "OTP required"],
      ["server: logged in at test with [secret]"],
      ["log:", "POST /login/", 200, "logged_in"],
      ["log:", "GET /transfer/destinations", 200, "success"],
      ["browser:", "success"],
    ]);
  });

  test("relay-app", async () => {
    expect(await run("relay-app")).toEqual([
      ["log:", "POST /login/", 200, "interaction_required"],
      ["app:", "OTP required"],
      ["server: ana logged in at test with [secret]"],
      ["log:", "POST /login/", 200, "logged_in"],
      ["app:", "logged_in"],
      ["log:", "POST /login/", 401, "app_refused"],
      ["stranger:", "app_refused", expect.stringContaining("no está autorizada para ingresar a bancos")],
    ]);
  });

  test("inspect", async () => {
    expect(await run("inspect")).toEqual([
      ["Watch at", expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/#watch$/)],
      ["or with a receiver at", expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/)],
      ["logged_in"],
    ]);
  });

  test("record", async () => {
    expect(await run("record")).toEqual([
      ["user_blocked", false],
      [
        "failed",
        {
          provider: "faro_uy",
          sessionReplaced: false,
          failure: { kind: "outcome", code: "user_blocked", httpStatus: 403 },
        },
      ],
      ["Replay at", expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//)],
    ]);
  });

  test("telemetry", async () => {
    expect(await run("telemetry")).toEqual([
      ["login.started", "test", "submitting", "started"],
      ["interaction.required", "test", "answering", "interaction_required"],
      ["asked for", "otp"],
      ["login.finished", "test", "loggedIn", "logged_in"],
      ["in less than a minute:", true],
      ["login.started", "test", "submitting", "started"],
      ["login.failed", "test", "failed", "wrong_credentials"],
      ["a fault:", false, "HTTP", 403],
    ]);
  });

  test("restate", async () => {
    // Without a Restate server it serves, and ends.
    vi.stubEnv("PORT", "0");
    vi.stubEnv("RESTATE_LOGGING", "ERROR");
    expect(await run("restate")).toEqual([["serves ventanilla-login-5"]]);
    vi.unstubAllEnvs();
  });

  test("paths, as its page says", async () => {
    const printed = (await run("paths")).map(([line]) => line).join("\n");
    expect(printed.split("\n")).toHaveLength(4);
    const guide = await readFile(new URL("../testing.md", folder), "utf8");
    expect(guide).toContain(`It prints:\n\n\`\`\`\n${printed}\n\`\`\``);
  });

  test("no example is left out", async () => {
    const source = await readFile(new URL(import.meta.url), "utf8");
    const tested = [...source.matchAll(/await run\("([\w-]+)"\)/g)].map(([, name]) => `${name}.ts`);
    // What the examples in the browser share is run by those, in test/browser.
    const shared = ["form.ts", "sandbox-client.ts", "set-up.ts", "sources.ts"];
    const examples = (await readdir(folder)).filter((name) => name.endsWith(".ts") && !shared.includes(name));
    expect(tested.sort()).toEqual(examples.sort());
  });
});
