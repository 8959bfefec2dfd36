import { type BankClient, createCredentials, login } from "ventanilla";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, onTestFinished, test, vi } from "vitest";
import { waitFor } from "xstate";
import { createLoginActor } from "../../../src/core/view/screen-actor.ts";
import { startService } from "../../bank/service.ts";
import { API_KEY, SEAL_KEY } from "../relay/stage.ts";
import { createBrowser, stage } from "./stage.ts";

const asked = { status: "interaction_required", key: "key-1", field: "app_confirmation", context: "In your app" };

/** A session whose bank asks for a confirmation in its app. @param early how many confirmations come too early. */
async function open(
  { early = 0, ...app }: { early?: number } & Pick<BankClient, "awaitApproval"> = {},
  options: Parameters<typeof stage>[0] = {},
) {
  const answers: string[] = [];
  const bank = await startService(({ method, form }) => {
    if (method !== "POST") return { http: 404, json: { status: "provider_doesnt_exist" } };
    if (form["app_confirmation"] === undefined) return { json: asked };
    answers.push(form["app_confirmation"]);
    return { json: answers.length > early ? { status: "logged_in", key: "key-of-session" } : asked };
  });
  const client = { ...bank.client({ apiKey: API_KEY, retry: false }), ...app };
  const set = await stage({ ...options, client }, { bank });
  const { id, url } = await set.hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  return { ...set, id, url, browser, answers };
}

test.each([
  ["", {}],
  [", with a memory of refusals", { refusals: { store: createMemoryStore({ rows: new Map() }), key: SEAL_KEY } }],
])("an approval in the app finishes a hosted session whose page waits%s", async (_, options) => {
  const app = { awaitApproval: async () => ({ status: "approved" }) as const };
  const { hosted, id, browser, answers } = await open(app, options);
  const outcome = await login(
    browser.client(),
    { provider: "test", username: "ana", password: "1234" },
    {
      settings: { validate: false },
      onInteraction: () => new Promise<never>(() => {}),
    },
  );
  expect(outcome).toMatchObject({ state: "loggedIn" });
  expect(answers).toEqual(["true"]);
  expect(await hosted.read(id)).toMatchObject({ status: "logged_in" });
});

test("a page that is opened again waits for the app too; a confirmation too early is not a wrong answer", async () => {
  const { browser, url } = await open({ early: 1, awaitApproval: () => new Promise<never>(() => {}) });
  await browser.logIn("ana", "1234");
  await browser.open(url);
  const counted = { isRepeat: false, answersSent: 0 };
  expect(await browser.readQuestion()).toMatchObject({ awaitsApproval: true, counted });
  await browser.answer("step-1", { app_confirmation: "true" });
  await browser.open(url);
  const again = { isRepeat: true, answersSent: 0, confirmationsSent: 1 };
  expect(await browser.readQuestion()).toMatchObject({ awaitsApproval: true, counted: again });
});

test("a confirmation too early gives no more time, to a page that is opened again either", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { browser, url } = await open({ early: 9 });
  await browser.logIn("ana", "1234");
  const left: (number | undefined)[] = [];
  for (let minutes = 1; minutes <= 3; minutes += 1) {
    await browser.open(url);
    left.push((await browser.readQuestion()).counted?.timeLeft);
    vi.setSystemTime(Date.now() + 60_000);
    await browser.answer(`step-${minutes}`, { app_confirmation: "true" });
  }
  expect(left).toEqual([300_000, 240_000, 180_000]);
});

test("an approval in vain is answered once, however often its page is opened again", async () => {
  const { browser, url, answers } = await open({ early: 99, awaitApproval: async () => ({ status: "approved" }) });
  const storage = { getItem: () => null as string | null, setItem() {}, removeItem() {} };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 100));
  const first = createLoginActor(browser.client(), { provider: "test", keep: false, settings: { validate: false } });
  first.start();
  first.send({
    type: "credentials.submit",
    credentials: createCredentials({ provider: "test", username: "ana", password: "1234" }),
  });
  await waitFor(first, ({ context }) => context.interaction?.number === 2);
  first.stop();
  for (let openings = 1; openings <= 5; openings += 1) {
    await browser.open(url);
    expect((await browser.readQuestion()).counted).toMatchObject({ isRepeat: true, approvalSent: true });
    const kept = JSON.stringify({ version: 2, token: "", ...(await browser.resume()) });
    const page = createLoginActor(browser.client(), { provider: "test", keep: { ...storage, getItem: () => kept } });
    page.start();
    await waitFor(page, (snapshot) => snapshot.matches("awaitingInteraction"));
    await settle();
    page.stop();
  }
  expect(answers).toEqual(["true"]);
});
