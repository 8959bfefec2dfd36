import { describe, expect, test } from "vitest";
import { watchedBank } from "../../bank/watched-bank.ts";
import { createBrowser } from "../../servers/hosted/stage.ts";
import { accept, startHostHere } from "./host.ts";

describe("a login", () => {
  test.each(["2025-11-25", "2026-07-28"] as const)(
    "with a host of %s that has URL elicitation: the address goes to the person, and to no model",
    async (version) => {
      const { environment, sent } = await watchedBank();
      const host = await startHostHere([], { environment, elicit: accept, version });
      const { call, client, pages, completed, transcript } = host;
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect((await client.listTools()).tools).toHaveLength(5);
      const started = await call("start_bank_login", { bank: "test", username: "12345" });
      expect(started).toEqual({
        isError: false,
        handle: expect.stringMatching(/^[\w-]{43}$/),
        status: "created",
        text: "The page is not open yet.",
        expires_at: expect.any(String),
      });
      const { handle } = started;
      const [page = { url: "", message: "", elicitationId: "" }] = pages;
      expect(pages).toHaveLength(1);
      expect(page.message).toMatch(/^Banco de prueba: log in on the page that opens\./);
      const browser = createBrowser();
      await browser.open(page.url);
      expect(await (await browser.readState()).json()).toMatchObject({ provider: "test", username: "12345" });
      expect(completed).toEqual([]);
      expect((await browser.logIn()).status).toBe("logged_in");
      expect(await call("read_bank_login", { handle })).toMatchObject({
        isError: false,
        status: "logged_in",
        bank: "test",
        text: "You are logged in.",
      });
      // The later version has no such notification.
      await expect.poll(() => completed).toEqual(version === "2025-11-25" ? [page.elicitationId] : []);
      const { from_bank } = await call("list_transfer_destinations", { handle });
      expect(from_bank.destinations).toEqual([
        { id: 1, name: "Institución de prueba 1" },
        { id: 2, name: "Institución de prueba 2" },
      ]);
      // The key is given once, and can be used again.
      expect((await call("list_transfer_destinations", { handle })).from_bank).toEqual(from_bank);
      expect(sent("username")).toEqual(["12345"]);
      const toModel = transcript.filter((message) => !JSON.stringify(message).includes("elicitation/create"));
      expect(JSON.stringify(toModel)).not.toContain(page.url);
    },
  );

  test.each([
    ["that has none, of 2025-11-25", [], { version: "2025-11-25" }],
    ["that has none, of 2026-07-28", [], { version: "2026-07-28" }],
    ["that has it, and --give-address", ["--give-address"], { elicit: accept }],
    ["that has it, of 2026-07-28, and --give-address", ["--give-address"], { elicit: accept, version: "2026-07-28" }],
  ] as const)("with a host %s: the result has the address", async (_, words, options) => {
    const { call, pages } = await startHostHere(words, options);
    const { handle, address, text } = await call("start_bank_login", { bank: "test" });
    expect(text).toBe("Open this page and log in there. Your assistant does not see what you type.");
    const browser = createBrowser();
    await browser.open(address);
    await browser.logIn();
    expect((await call("read_bank_login", { handle })).status).toBe("logged_in");
    expect(pages).toEqual([]);
  });

  test("is told in the person's language", async () => {
    const { call, client, pages } = await startHostHere(["--locale", "es"], { elicit: accept });
    const { tools } = await client.listTools();
    expect(tools.map(({ title }) => title)).toContain("Ingresar a un banco");
    expect((await call("start_bank_login", { bank: "test" })).text).toBe("La página todavía no está abierta.");
    expect(pages[0]?.message).toContain("ingrese en la página que se abre");
    expect((await createBrowser().open(pages[0]?.url ?? "")).text).toContain('lang="es"');
    expect((await call("read_bank_login", { handle: "x" })).text).toMatch(/^No se puede continuar/);
  });

  test("that a bank refuses for good is failed, with its code; that of a closed page is cancelled", async () => {
    const { call } = await startHostHere();
    const blocked = await call("start_bank_login", { bank: "faro_uy" });
    const browser = createBrowser();
    await browser.open(blocked.address);
    await browser.logIn("blocked", "s3creto", "faro_uy");
    const { handle } = blocked;
    expect(await call("read_bank_login", { handle })).toMatchObject({ status: "failed", failure: "user_blocked" });
    expect(await call("list_transfer_destinations", { handle })).toMatchObject({
      isError: true,
      error: "user_blocked",
      recovery: "contactBank",
    });
    const closed = await call("start_bank_login", { bank: "test" });
    const other = createBrowser();
    await other.open(closed.address);
    await other.logIn("12345", "wrong");
    await other.close();
    expect((await call("read_bank_login", { handle: closed.handle })).status).toBe("cancelled");
    expect(await call("list_transfer_destinations", { handle: closed.handle })).toMatchObject({ error: "cancelled" });
    // Nothing is left to end.
    expect(await call("end_bank_session", { handle: closed.handle })).toMatchObject({ status: "cancelled" });
  });

  test("that is not used expires, and its page shows that", async () => {
    const { call } = await startHostHere(["--expires-in", "0.3"]);
    const { handle, address } = await call("start_bank_login", { bank: "test" });
    expect(await call("read_bank_login", { handle })).toMatchObject({
      status: "expired",
      text: "The time to answer has run out. Log in again.",
    });
    expect((await createBrowser().open(address)).text).toContain("This link has expired.");
    expect(await call("list_transfer_destinations", { handle })).toMatchObject({ isError: true, error: "expired" });
  });
});

describe("the end of a session", () => {
  test("closes it at the bank, once; then its handle reads, and does no more", async () => {
    const { environment, requests } = await watchedBank();
    const { call } = await startHostHere([], { environment });
    const { handle, address } = await call("start_bank_login", { bank: "test" });
    const browser = createBrowser();
    await browser.open(address);
    await browser.logIn();
    for (const _ of ["first", "second"]) {
      expect(await call("end_bank_session", { handle })).toMatchObject({
        isError: false,
        status: "ended",
        text: "The session is closed.",
      });
    }
    expect(await call("read_bank_login", { handle })).toMatchObject({ status: "ended" });
    expect(await call("list_transfer_destinations", { handle })).toMatchObject({
      isError: true,
      error: "key_unavailable",
    });
    expect(requests.filter(({ url }) => url.startsWith("/logout/"))).toHaveLength(1);
  });

  test("that fails is told, and can be tried again", async () => {
    const responses = [{ http: 503, json: { status: "provider_unavailable" } }];
    const { environment } = await watchedBank(({ url }) =>
      url.startsWith("/logout/") ? responses.shift() : undefined,
    );
    const { call } = await startHostHere([], { environment });
    const { handle, address } = await call("start_bank_login", { bank: "test" });
    const browser = createBrowser();
    await browser.open(address);
    await browser.logIn();
    expect(await call("end_bank_session", { handle })).toMatchObject({ isError: true, error: "provider_unavailable" });
    expect(await call("end_bank_session", { handle })).toMatchObject({ status: "ended" });
  });

  test("cancels a login that has not ended", async () => {
    const { call } = await startHostHere();
    const { handle, address } = await call("start_bank_login", { bank: "test" });
    expect(await call("end_bank_session", { handle })).toMatchObject({ status: "cancelled" });
    expect((await createBrowser().open(address)).text).toContain("The login was cancelled.");
  });
});

describe("two calls at the same time", () => {
  test("share the session key", async () => {
    const { call } = await startHostHere();
    const { handle, address } = await call("start_bank_login", { bank: "test" });
    const browser = createBrowser();
    await browser.open(address);
    await browser.logIn();
    const both = await Promise.all([1, 2].map(() => call("list_transfer_destinations", { handle })));
    expect(both.map(({ isError }) => isError)).toEqual([false, false]);
  });
});
