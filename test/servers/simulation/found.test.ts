import { createMemoryStore, type Store } from "ventanilla/tokens";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { formatRelayKey } from "../../../src/core/api/relay-login.ts";
import { promised, startHeldSandbox, startService } from "../../bank/service.ts";
import { createBrowser, stage } from "../hosted/stage.ts";
import { API_KEY, createLogin, PLAIN, stage as stageRelay } from "../relay/stage.ts";

// What the simulation has found in kept logins, each as one schedule by hand.

const USER = "ana-4711";

/** A store that does something after its second swap of the row of a login: the first one writes it, the second one claims. */
function watchClaim(work: () => unknown): Store {
  const store = createMemoryStore({ rows: new Map() });
  let swaps = 0;
  const swap: Store["swap"] = async (id, ...change) => {
    const isSwapped = await store.swap(id, ...change);
    if (id.startsWith("login:")) swaps += 1;
    if (swaps === 2) await work();
    return isSwapped;
  };
  return { ...store, swap };
}

describe("an erasure", () => {
  test.each([
    ["a question", "12345otp", "asdfg"],
    ["a refusal", "12345", "wrong"],
  ])("while the bank works: the page learns that the session is over, and not %s", async (_, username, password) => {
    const { bank, respond } = await startHeldSandbox({ apiKey: API_KEY });
    const { hosted, posts } = await stage({}, { bank });
    const browser = createBrowser();
    await browser.open((await hosted.create({ user: USER })).url);
    const submit = browser.logIn(username, password).catch(({ code }) => code);
    await expect.poll(posts).toHaveLength(1);
    await hosted.erase(USER);
    respond();
    expect(await submit).toBe("not_signed_in");
  });
});

test("a claim that takes the store too long is withdrawn: nothing is sent, and the person sends it again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = watchClaim(() => vi.advanceTimersByTime(6_000));
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
  // It shows the form.
  const tab = browser.openTab();
  const first = await browser.logIn("ana", "1234");
  if (first.status !== "interaction_required" || !first.key) throw new Error(first.status);
  expect(first.awaitsApproval).toBe(true);
  await browser.client().awaitApproval(first.key, { signal: new AbortController().signal });
  await browser.answer("step-1", { app_confirmation: "true" });
  const second = await tab.logIn("ana", "1234");
  expect(second).toMatchObject({ status: "interaction_required" });
  expect("awaitsApproval" in second && second.awaitsApproval).toBeFalsy();
  expect(answers).toEqual(["true"]);
});

describe("a login at the relay that is on its way into the store, and is not there yet", () => {
  test("is not sent once its user was erased", async () => {
    const memory = createMemoryStore({ rows: new Map() });
    const erased: unknown[] = [];
    const swap: Store["swap"] = async (id, ...change) => {
      const isSwapped = await memory.swap(id, ...change);
      // It is listed, and claimed next.
      if (id.startsWith("user:") && erased.length === 0) erased.push(await set.relay.erase(USER));
      return isSwapped;
    };
    const set = await stageRelay({ store: { ...memory, swap }, readUser: () => USER });
    expect((await set.browser().login(PLAIN)).status).toBe("invalid_key");
    expect(erased).toEqual([{ logins: 0, mayHaveArrived: 0 }]);
    expect(set.bank.paths().filter((path) => path.startsWith("POST"))).toEqual([]);
    expect((await set.browser().login(PLAIN)).status).toBe("logged_in");
  });

  test("is not sent once its page has left, and heard that nothing was", async () => {
    const [asked, user] = [promised(), promised()];
    const readUser = async () => {
      asked.keep();
      await user.promise;
      return USER;
    };
    const set = await stageRelay({ readUser });
    const { id, token } = createLogin();
    const login = set.browser().login(PLAIN, { login: { id, token } });
    await asked.promise;
    const key = formatRelayKey({ id, token, last: 0 });
    const left = await set.send("/cancel/", { method: "POST" }, key);
    expect(await left.json()).toEqual({ status: "cancelled", may_have_arrived: false });
    user.keep();
    expect((await login).status).toBe("invalid_key");
    expect(set.bank.paths().filter((path) => path.startsWith("POST"))).toEqual([]);
  });
});
