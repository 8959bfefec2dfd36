import { createBankClient, reveal } from "ventanilla";
import { createHostedLogin, createMemoryStore, type HostedLogin, type Store } from "ventanilla/hosted";
import { createSandbox } from "ventanilla/sandbox";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { respondAs, startService } from "../../bank/service.ts";
import { createBrowser, stage } from "../hosted/stage.ts";
import { API_KEY, SEAL_KEY } from "../relay/stage.ts";

// What the simulation has found in the hosted record, each as one schedule by hand.

const USER = "ana-4711";

/** A store whose rows can be seen. @param before called before an operation. @param after called when it has had its effect. */
function watchStore({
  before = async () => {},
  after = async () => {},
  store = createMemoryStore({ rows: new Map() }),
}: {
  readonly before?: (operation: string) => Promise<void>;
  readonly after?: (operation: string) => Promise<void>;
  readonly store?: Store;
}) {
  const rows = new Map<string, string>();
  const run = async <Result>(name: string, id: string, work: () => Result | Promise<Result>): Promise<Result> => {
    const operation = `${name} ${id.replace(/[\da-f]{32}/, "…")}`;
    await before(operation);
    const result = await work();
    await after(operation);
    return result;
  };
  const keep = (id: string, text: string, isKept: boolean) => {
    if (isKept) rows.set(id, text);
    return isKept;
  };
  const watched: Store = {
    read: store.read,
    list: store.list,
    swap: (id, expected, text, lifetime) =>
      run(expected === undefined ? "write" : "replace", id, async () =>
        keep(id, text, await store.swap(id, expected, text, lifetime)),
      ),
    delete: (id) =>
      run("delete", id, () => {
        rows.delete(id);
        return store.delete(id);
      }),
  };
  /** The rows with a sealed text. */
  return { store: watched, listSealed: () => [...rows].filter(([, text]) => text.includes("..")).map(([id]) => id) };
}

/** Does something the first time that it is called so. */
function once(operation: string, work: () => Promise<unknown>): (name: string) => Promise<void> {
  let isDone = false;
  return async (name) => {
    if (isDone || !name.startsWith(operation)) return;
    isDone = true;
    await work();
  };
}

const fail = async () => {
  throw new Error("the store fails");
};

describe("an erasure", () => {
  test("while a repeat is on its way: the repeat is not sent", async () => {
    const store = createMemoryStore({ rows: new Map() });
    const { hosted, bank, origin, posts } = await stage({ store });
    const { id, url } = await hosted.create({ user: USER });
    const browser = createBrowser();
    await browser.open(url);
    const send = (handle: HostedLogin["handle"]) =>
      handle(
        new Request(`${origin}/login/bank/login/`, {
          method: "POST",
          headers: {
            origin,
            cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; "),
            "x-ventanilla": "1",
            "x-ventanilla-login": id,
            "x-attempt-id": "49da3405-e888-4f1b-b2c7-f8a4a1a24f2a",
            "content-type": "application/x-www-form-urlencoded",
          },
          body: "provider=test&username=12345otp&password=asdfg",
        }),
      );
    // Another instance, which has read the session and then stands still.
    let isHeld = false;
    let release = () => {};
    const hold = async () => {
      isHeld = true;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const other = createHostedLogin({
      client: createBankClient({ baseUrl: bank.url, apiKey: API_KEY, retry: false }),
      sealKey: SEAL_KEY,
      store: watchStore({ store, before: once("write hosted:…:life:0", hold) }).store,
      url: `${origin}/login`,
      name: "Shop",
      rateLimit: false,
      onEnd: () => {},
    });
    const late = send(other.handle);
    await expect.poll(() => isHeld).toBe(true);
    expect((await send(hosted.handle)).status).toBe(200);
    await hosted.erase(USER);
    release();
    expect((await late).status).toBe(401);
    expect(posts()).toHaveLength(1);
  });

  test("that was interrupted is repeated, and leaves nothing of the later submits", async () => {
    const { store, listSealed } = watchStore({ after: once("replace hosted:…:submit:", fail) });
    const { hosted } = await stage({ store });
    const { url } = await hosted.create({ user: USER });
    const browser = createBrowser();
    await browser.open(url);
    for (const password of ["wrong", "wrong too"]) await browser.logIn("12345", password);
    expect(listSealed()).toHaveLength(2);
    await expect(hosted.erase(USER)).rejects.toMatchObject({ code: "handler_failed" });
    expect(await hosted.erase(USER)).toBe(1);
    expect(listSealed()).toEqual([]);
  });

  test("leaves nothing of a submit that came after it had read the session", async () => {
    const browser = createBrowser();
    const logIn = () => browser.logIn("12345", "wrong");
    const { store, listSealed } = watchStore({ before: once("write hosted:…:told", logIn) });
    const { hosted, posts } = await stage({ store });
    await browser.open((await hosted.create({ user: USER })).url);
    expect(await hosted.erase(USER)).toBe(1);
    expect(posts()).toHaveLength(1);
    expect(listSealed()).toEqual([]);
  });

  test("leaves nothing of a result whose write is repeated, since its answer was lost", async () => {
    let release = () => {};
    const erased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let writes = 0;
    const { store, listSealed } = watchStore({
      before: async (operation) => {
        if (operation !== "write hosted:…:result:0") return;
        writes += 1;
        if (writes === 2) await erased;
      },
      after: once("write hosted:…:result:0", fail),
    });
    const { hosted } = await stage({ store });
    const browser = createBrowser();
    await browser.open((await hosted.create({ user: USER })).url);
    const submit = browser.logIn("12345", "wrong").catch(({ code }) => code);
    await expect.poll(listSealed).toHaveLength(1);
    await hosted.erase(USER);
    release();
    expect(await submit).toBe("not_signed_in");
    expect(listSealed()).toEqual([]);
  });

  test.each([
    ["a question", "12345otp", "asdfg"],
    ["a refusal", "12345", "wrong"],
  ])("while the bank works: the page learns that the session is over, and not %s", async (_, username, password) => {
    const sandbox = createSandbox({ apiKey: API_KEY });
    let release = () => {};
    const erased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const respond = respondAs(async (request) => {
      if (request.method === "POST") await erased;
      return sandbox(request);
    });
    const { hosted, posts } = await stage({}, { bank: await startService(respond) });
    const browser = createBrowser();
    await browser.open((await hosted.create({ user: USER })).url);
    const submit = browser.logIn(username, password).catch(({ code }) => code);
    await expect.poll(posts).toHaveLength(1);
    await hosted.erase(USER);
    release();
    expect(await submit).toBe("not_signed_in");
  });
});

test("a claim that takes the store too long is withdrawn: nothing is sent, and the person sends it again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { store } = watchStore({
    after: once("write hosted:…:submit:0", async () => void vi.advanceTimersByTime(6_000)),
  });
  const { hosted, posts } = await stage({ store });
  const browser = createBrowser();
  await browser.open((await hosted.create({ user: USER })).url);
  await expect(browser.logIn()).rejects.toMatchObject({ code: "http_failed" });
  expect(posts()).toEqual([]);
  await expect.poll(async () => (await browser.logIn().catch(() => undefined))?.status).toBe("logged_in");
  expect(posts()).toHaveLength(1);
});

test("a second tab leaves it to the person when the bank asks again after an approval", async () => {
  const asked = { status: "interaction_required", key: "key-1", field: "app_confirmation", context: "In your app" };
  const answers: string[] = [];
  const bank = await startService(({ method, form }) => {
    if (method !== "POST") return { http: 404, json: { status: "provider_doesnt_exist" } };
    if (form["app_confirmation"] !== undefined) answers.push(form["app_confirmation"]);
    return { json: asked };
  });
  const client = {
    ...bank.client({ apiKey: API_KEY, retry: false }),
    awaitApproval: async () => ({ status: "approved" }) as const,
  };
  const { hosted } = await stage({ client }, { bank });
  const browser = createBrowser();
  await browser.open((await hosted.create({ user: USER })).url);
  const first = await browser.logIn("ana", "1234");
  if (first.status !== "interaction_required" || !first.key) throw new Error(first.status);
  expect(first.awaitsApproval).toBe(true);
  await browser.client().awaitApproval(first.key, { signal: new AbortController().signal });
  await browser.answer(reveal(first.key), { app_confirmation: "true" });
  // That of the tab, which had shown the form.
  const second = await browser.logIn("ana", "1234");
  expect(second).toMatchObject({ status: "interaction_required" });
  expect("awaitsApproval" in second && second.awaitsApproval).toBeFalsy();
  expect(answers).toEqual(["true"]);
});
