import { createBankClient } from "ventanilla";
import type { HostedStatus } from "ventanilla/hosted";
import { createMemoryStore } from "ventanilla/tokens";
import { afterEach, describe, expect, test, vi } from "vitest";
import { expectedId, startSandbox } from "../../bank/service.ts";
import { API_KEY } from "../relay/stage.ts";
import { type Browser, createBrowser, SHOP, stage } from "./stage.ts";

afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const pass = (milliseconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });

/** The text of a page that people read. */
const readText = (page: string) =>
  page
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

async function openOne(session: object = {}, options: object = {}) {
  const set = await stage(options);
  const created = await set.hosted.create({ user: "42", ...session });
  const browser = createBrowser();
  const page = await browser.open(created.url);
  const read = async (): Promise<HostedStatus> => (await set.hosted.read(created.id)).status;
  return { ...set, ...created, browser, page, read };
}

describe("the page of an address", () => {
  test("says who asks and from where, in the language of the session, then of the browser", async () => {
    const { hosted, page, origin } = await openOne({ locale: "es", returnTo: `${SHOP}/done` });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<html lang="es">');
    expect(readText(page.text)).toContain("Shop (shop.example) le pide conectar su banco.");
    const { url } = await hosted.create({ user: "42" });
    const portuguese = await createBrowser({ "accept-language": "xx;q=0.9, pt-BR;q=0.8, en" }).open(url);
    expect(readText(portuguese.text)).toContain(`Shop (${new URL(origin).host}) pede que você conecte seu banco.`);
    expect((await createBrowser({ "accept-language": "xx" }).open(url)).text).toContain('<html lang="en">');
  });

  test("has the name, the logo and the colour of who asks, and loads pictures from the logo's origin alone", async () => {
    const { page, origin } = await openOne({}, { logo: "https://cdn.shop.example/logo.svg", accent: "#b8400b" });
    expect(page.text).toContain(' host-name="Shop" host-logo="https://cdn.shop.example/logo.svg"');
    expect(page.text).toContain('<link rel="stylesheet" href="accent.css?b8400b" />');
    const style = await fetch(`${origin}/login/accent.css?b8400b`);
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(await style.text()).toContain("--bank-login-accent: light-dark(#b8400b, ");
    expect(page.response.headers.get("content-security-policy")).toContain(
      "; img-src https://cdn.shop.example 'self' data:;",
    );
  });

  test("is kept by no cache and framed by no page, and sends no address on", async () => {
    const { page } = await openOne();
    const headers = Object.fromEntries(page.response.headers);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
    });
    const policy = headers["content-security-policy"] ?? "";
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    // No inline script or style.
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:/i);
  });

  test("loads its files from its own origin, each for good", async () => {
    const { page, browser } = await openOne({ provider: "test" });
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+\.(?:js|css)\?\w+)"/g)].map(([, file = ""]) => file);
    expect(files.map((file) => file.split("?")[0]).sort()).toEqual(["element.js", "form.css", "page.css", "page.js"]);
    for (const file of files) {
      const response = await browser.send(new URL(file, browser.session.base).href);
      expect([response.status, response.headers.get("cache-control")]).toEqual([
        200,
        "public, max-age=31536000, immutable",
      ]);
      expect(response.headers.get("content-type")).toMatch(file.includes(".css") ? "text/css" : "text/javascript");
      const texts = [await response.text()];
      for (const [accepted, encoding] of [
        ["gzip, deflate, br", "br"],
        ["gzip;q=1.0, br;q=0", "gzip"],
        ["identity", null],
      ] as const) {
        const other = await browser.send(new URL(file, browser.session.base).href, {
          headers: { "accept-encoding": accepted },
        });
        const { headers } = other;
        expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([encoding, "accept-encoding"]);
        texts.push(await other.text());
      }
      expect(new Set(texts).size).toBe(1);
    }
  });

  test("has the form of its bank in it, in the person's language, from which nothing can leave", async () => {
    const { page, bank } = await openOne({ provider: "test", username: "ana-4711", locale: "es" });
    const form = /<template shadowrootmode="open">([\s\S]*?)<\/template>/.exec(page.text)?.[1] ?? "";
    expect(readText(form)).toMatch(/Shop · Ingrese a Banco de prueba .*Usuario Contraseña Mostrar Ingresar/);
    expect(form).toContain('<form novalidate method="post">');
    expect(form).toMatch(/<input[^>]+ id="field-password"[^>]+ type="password"[^>]+ autocomplete="new-password"/);
    const buttons = form.match(/<button[^>]*>/g) ?? [];
    expect(buttons).toHaveLength(3);
    expect(buttons.every((button) => button.startsWith("<button disabled"))).toBe(true);
    expect(page.response.headers.get("content-security-policy")).toContain("form-action 'none'");
    expect(bank.paths()).toEqual(["GET /provider/test/"]);
  });

  test("comes without a form if no bank is given, if a login is under way, and if the service is too slow", async () => {
    const isWithForm = (page: { text: string }) => page.text.includes("shadowrootmode");
    expect(isWithForm((await openOne()).page)).toBe(false);
    const known = await openOne({ provider: "test" });
    await known.browser.readState();
    expect((await known.browser.logIn("12345otp", "asdfg")).status).toBe("interaction_required");
    expect(isWithForm(await known.browser.open(known.url))).toBe(false);
    const bank = await startSandbox({ apiKey: API_KEY });
    const client = createBankClient({ baseUrl: bank.url, apiKey: API_KEY });
    let isSlow = false;
    const getProvider: typeof client.getProvider = (...call) =>
      isSlow ? new Promise(() => {}) : client.getProvider(...call);
    const { hosted } = await stage({ client: { ...client, getProvider } }, { bank });
    const { url } = await hosted.create({ user: "42", provider: "test" });
    isSlow = true;
    expect(isWithForm(await createBrowser().open(url))).toBe(false);
  });

  test("shows a name with markup in it as text", async () => {
    const { page } = await openOne({}, { name: `<img src=x onerror="alert('1')">&Co` });
    expect(page.text).toContain("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;Co");
    expect(page.text).not.toContain("<img");
  });

  test("lets a person choose a client and close another session where the options allow it", async () => {
    expect((await openOne()).page.text).toMatch(
      /<bank-login data-session="\w+" answer-timeout="300000" host-name="Shop"><\/bank-login>/,
    );
    const { page } = await openOne({}, { clientSelection: true, logout: true });
    expect(page.text).toMatch(/<bank-login [^>]+ client-selection session-replacement><\/bank-login>/);
  });

  test("lets the browser fill in saved logins where the option says that its origin serves bank logins alone", async () => {
    const { page } = await openOne({}, { savedLogins: true });
    expect(page.text).toMatch(/<bank-login [^>]+ saved-logins><\/bank-login>/);
  });

  test("has the id of the session in it, and neither its token, its user nor the user name", async () => {
    const { page, id, url, browser } = await openOne({
      user: "account-of-ana",
      username: "ana-4711",
      provider: "test",
    });
    expect(page.text).toContain(id);
    expect(page.text).not.toContain(url.split("/").at(-1));
    expect(page.text).not.toMatch(/account-of-ana|ana-4711/);
    expect(await (await browser.readState()).json()).toEqual({
      provider: "test",
      username: "ana-4711",
      lastSubmit: 0,
      timeLeft: expect.any(Number),
    });
  });
});

describe("opening an address", () => {
  test("consumes nothing, however often and by whatever: messengers and mail scanners open every link", async () => {
    const { url, read, hosted } = await openOne({}, {});
    for (const [method, headers] of [
      ["GET", {}],
      ["HEAD", {}],
      ["GET", { "sec-purpose": "prefetch" }],
      ["GET", { "user-agent": "TelegramBot (like TwitterBot)" }],
    ] as const) {
      expect((await fetch(url, { method, headers })).status).toBe(200);
    }
    expect(await read()).toBe("created");
    const [messenger, own] = [createBrowser(), createBrowser()];
    for (const browser of [messenger, own]) {
      await browser.open(url);
      expect((await browser.readState()).status).toBe(200);
      expect(await read()).toBe("opened");
    }
    expect((await own.logIn()).status).toBe("logged_in");
    expect(await read()).toBe("logged_in");
    expect(hosted).toBeDefined();
  });

  test("gives a browser one cookie for all of its links, which no script reads", async () => {
    const { page, browser, url, hosted } = await openOne();
    const line = page.response.headers.get("set-cookie") ?? "";
    expect(line).toMatch(/^ventanilla=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    const before = new Map(browser.cookies);
    for (const _ of Array.from({ length: 200 })) await browser.open((await hosted.create({ user: "42" })).url);
    // The same cookie again, so that it lasts as long as the newest link.
    expect((await browser.open(url)).response.headers.get("set-cookie")).toBe(line);
    expect(browser.cookies).toEqual(before);
    expect(line).not.toContain(url.split("/").at(-1));
  });

  test("over https gives a cookie that no other host of the domain can set", async () => {
    const { hosted } = await stage({ url: "https://login.shop.example/bank" });
    const { url } = await hosted.create({ user: "42" });
    const response = await hosted.handle(new Request(url));
    expect(response.headers.get("set-cookie")).toMatch(
      /^__Host-ventanilla=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  test("without a cookie shows no user name, and says nothing of the session", async () => {
    const { id, browser } = await openOne({ username: "ana-4711" });
    const stranger = createBrowser();
    Object.assign(stranger.session, browser.session);
    const response = await stranger.readState();
    expect([response.status, await response.text()]).toEqual([401, "{}"]);
    expect((await stranger.close()).status).toBe(401);
    expect(id).toBe(browser.session.id);
  });

  test.each(["", "A".repeat(43), "A".repeat(42), "../login", "element.txt", "state", "bank"])(
    "of no session says so: %j",
    async (path) => {
      const { origin } = await stage();
      const { status, text } = await createBrowser().open(`${origin}/login/${path}`);
      expect([status, readText(text)]).toEqual([404, expect.stringContaining("This link is not complete")]);
    },
  );
});

describe("the first submit gives the session to its browser", () => {
  const inAnother = async (set: { url: string; browser: Browser }) => {
    const other = createBrowser();
    const page = await other.open(set.url);
    Object.assign(other.session, set.browser.session);
    return { other, page };
  };

  test("also one that the bank refuses: another one gets a page that says so, and no login", async () => {
    const set = await openOne({ locale: "pt" });
    const late = createBrowser();
    await late.open(set.url);
    expect((await set.browser.logIn("12345", "wrong")).status).toBe("wrong_credentials");
    const { other, page } = await inAnother(set);
    expect([page.status, readText(page.text)]).toEqual([403, expect.stringContaining("em outro navegador")]);
    expect(page.response.headers.get("set-cookie")).toBeNull();
    for (const [browser, status] of [
      [other, 401],
      [late, 410],
    ] as const) {
      expect((await browser.readState()).status).toBe(status);
      await expect(browser.logIn()).rejects.toMatchObject({ code: "not_signed_in" });
      expect((await browser.close()).status).toBe(401);
    }
    expect(set.posts()).toHaveLength(1);
    expect((await set.browser.open(set.url)).status).toBe(200);
    expect((await set.browser.logIn()).status).toBe("logged_in");
  });

  test("to one of many that submit at once", async () => {
    const { url, posts, hosted } = await openOne();
    const browsers = Array.from({ length: 8 }, () => createBrowser());
    await Promise.all(browsers.map((browser) => browser.open(url)));
    const logins = await Promise.allSettled(browsers.map((browser) => browser.logIn()));
    expect(logins.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(posts()).toHaveLength(1);
    expect(hosted).toBeDefined();
  });
});

describe("after the end", () => {
  test("the page goes back with the session's id and status, and nothing else", async () => {
    const set = await openOne({ returnTo: `${SHOP}/done?order=7` });
    await set.browser.logIn();
    const { status, response } = await set.browser.open(set.url);
    expect([status, response.headers.get("location")]).toEqual([
      303,
      `${SHOP}/done?order=7&session=${set.id}&status=logged_in`,
    ]);
  });

  test("a person who closes a login that was begun goes back too", async () => {
    const set = await openOne({ returnTo: `${SHOP}/done` });
    await set.browser.logIn("12345", "wrong");
    expect(await (await set.browser.close()).json()).toEqual({});
    expect(await set.read()).toBe("cancelled");
    const { response } = await set.browser.open(set.url);
    expect(response.headers.get("location")).toBe(`${SHOP}/done?session=${set.id}&status=cancelled`);
  });

  test.each<[string, (set: Awaited<ReturnType<typeof openOne>>) => Promise<unknown>]>([
    ["cancelled", (set) => set.hosted.cancel(set.id)],
    ["expired", async () => void pass(15 * MINUTE)],
  ])("the page of an unused link leads back by a link: %s", async (status, end) => {
    const set = await openOne({ returnTo: `${SHOP}/done?order=7` });
    await end(set);
    const page = await set.browser.open(set.url);
    expect([page.status, readText(page.text)]).toEqual([410, expect.stringContaining("Back to shop.example")]);
    expect(page.text).toContain(`href="${SHOP}/done?order=7&amp;session=${set.id}&amp;status=${status}"`);
  });

  test("without a way back the page says that it is done, at each reload", async () => {
    const set = await openOne();
    await set.browser.logIn();
    const { status, text } = await set.browser.open(set.url);
    expect([status, readText(text)]).toEqual([
      200,
      "Banco de prueba is connected – Shop Shop Banco de prueba is connected. You can close this page.",
    ]);
  });

  test.each<[string, (set: Awaited<ReturnType<typeof openOne>>) => Promise<unknown>, string]>([
    ["logged in", (set) => set.browser.logIn(), "This link has already been used."],
    [
      "cancelled",
      (set) => set.browser.logIn("12345", "wrong").then(set.browser.close),
      "This link has already been used.",
    ],
    ["cancelled by the app", (set) => set.hosted.cancel(set.id), "The login was cancelled."],
    ["expired", async () => void pass(15 * MINUTE), "This link has expired."],
  ])("another browser learns what to do: %s", async (_, end, text) => {
    const set = await openOne();
    await end(set);
    const page = await createBrowser().open(set.url);
    expect([page.status, readText(page.text)]).toEqual([410, expect.stringContaining(text)]);
    expect(page.response.headers.get("set-cookie")).toBeNull();
  });

  test.each<[string, (set: Awaited<ReturnType<typeof openOne>>) => Promise<unknown>]>([
    ["logged in", (set) => set.browser.logIn()],
    ["cancelled", (set) => set.hosted.cancel(set.id)],
    ["expired", async () => void pass(15 * MINUTE)],
  ])("nothing more is sent to the bank: %s", async (_, end) => {
    const set = await openOne();
    await set.browser.logIn("12345", "wrong");
    await end(set);
    const sent = set.posts().length;
    await expect(set.browser.logIn()).rejects.toMatchObject({ code: "not_signed_in" });
    expect((await set.browser.readState()).status).toBe(410);
    expect(set.posts()).toHaveLength(sent);
  });
});

describe("what ends a session", () => {
  const blocked = ["faro_uy", "blocked"] as const;

  test("no wrong password: the person tries again", async () => {
    const set = await openOne({ provider: "test" });
    for (const _ of [1, 2]) expect((await set.browser.logIn("12345", "wrong")).status).toBe("wrong_credentials");
    expect(await set.read()).toBe("opened");
    expect((await set.browser.logIn()).status).toBe("logged_in");
    await expect
      .poll(() => set.ends)
      .toEqual([
        {
          id: set.id,
          user: "42",
          status: "logged_in",
          provider: "test",
          login: expectedId,
          loggedInAt: expect.any(Date),
        },
      ]);
  });

  test("a bank that has locked the user, where the session names the bank", async () => {
    const [provider, username] = blocked;
    const set = await openOne({ provider, returnTo: SHOP });
    expect((await set.browser.logIn(username, "s3creto", provider)).status).toBe("user_blocked");
    expect(await set.hosted.read(set.id)).toMatchObject({ status: "failed", failure: "user_blocked", provider });
    await expect
      .poll(() => set.ends)
      .toEqual([{ id: set.id, user: "42", status: "failed", failure: "user_blocked", provider, login: expectedId }]);
    const { response } = await set.browser.open(set.url);
    expect(response.headers.get("location")).toBe(`${SHOP}/?session=${set.id}&status=failed`);
  });

  test("not where the person can choose another bank", async () => {
    const [provider, username] = blocked;
    const set = await openOne();
    expect((await set.browser.logIn(username, "s3creto", provider)).status).toBe("user_blocked");
    expect((await set.browser.logIn()).status).toBe("logged_in");
    expect(await set.hosted.read(set.id)).toMatchObject({ status: "logged_in", provider: "test" });
  });
});

test("another site can neither cancel a login nor read its state", async () => {
  const set = await openOne();
  const id = { "x-ventanilla-login": set.id };
  for (const headers of [{}, { ...id, origin: "https://evil.example" }, { ...id, origin: "null" }, id]) {
    const response = await set.browser.send(`${set.browser.session.base}cancel/`, { method: "POST", headers });
    expect(response.status).toBe(401);
  }
  const preflight = await set.browser.send(`${set.browser.session.base}state/`, { method: "OPTIONS" });
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([404, null]);
  expect((await set.browser.send(`${set.browser.session.base}state/`)).status).toBe(401);
  expect(await set.read()).toBe("created");
});

test("a store that fails gives a page that says so, tells onError, and lets nothing through to the bank", async () => {
  let isDown = false;
  const store = createMemoryStore({ rows: new Map() });
  const read: typeof store.read = (id) => {
    if (isDown) throw new TypeError("down");
    return store.read(id);
  };
  const set = await openOne({}, { store: { ...store, read } });
  isDown = true;
  const { status, text } = await set.browser.open(set.url);
  expect([status, readText(text)]).toEqual([503, expect.stringContaining("Something went wrong.")]);
  expect((await set.browser.readState()).status).toBe(503);
  await expect(set.browser.logIn()).rejects.toMatchObject({ code: "http_failed" });
  expect(set.errors.map(({ code, field }) => [code, field])).toContainEqual(["handler_failed", "store"]);
  expect(set.posts()).toEqual([]);
});
