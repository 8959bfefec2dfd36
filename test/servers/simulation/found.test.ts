import { reveal } from "ventanilla";
import { createMemoryStore, type Store } from "ventanilla/hosted";
import { createSandbox } from "ventanilla/sandbox";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { respondAs, startService } from "../../bank/service.ts";
import { createBrowser, stage } from "../hosted/stage.ts";
import { API_KEY } from "../relay/stage.ts";

// What the simulation has found in the hosted record, each as one schedule by hand.

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
  await browser.answer(reveal(first.key), { app_confirmation: "true" });
  const second = await tab.logIn("ana", "1234");
  expect(second).toMatchObject({ status: "interaction_required" });
  expect("awaitsApproval" in second && second.awaitsApproval).toBeFalsy();
  expect(answers).toEqual(["true"]);
});
