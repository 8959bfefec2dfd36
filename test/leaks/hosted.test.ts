import { reveal, secret } from "ventanilla";
import { createMemoryStore, type Store } from "ventanilla/tokens";
import { describe, expect, test } from "vitest";
import { respondAs, startService } from "../bank/service.ts";
import { createBrowser, RECIPIENT, stage } from "../servers/hosted/stage.ts";
import { type Canary, createCanary, findCanaries, newCanaries } from "./canaries.ts";

/** What each channel of a hosted login has seen. */
function watchStore(seen: unknown[]): Store {
  const store = createMemoryStore({ rows: new Map() });
  const note = (...words: unknown[]) => void seen.push(...words);
  return {
    ...store,
    swap: (id, expected, text, lifetime) => {
      note(id, text);
      return store.swap(id, expected, text, lifetime);
    },
  };
}

/** A login with one question. The bank repeats nothing, and gives out canaries as keys. */
async function logIn(end: "logged_in" | "user_blocked") {
  const canaries = newCanaries(["username", "password", "answer", "interactionKey", "sessionKey", "apiKey"]);
  const { username, password, answer, interactionKey, sessionKey } = canaries;
  const responses = [
    // Whether the bank exists.
    { status: "success", provider: { name: "Test", country: "UY", auth_fields: [], account_type: [] } },
    { status: "interaction_required", interactive: true, field: "otp", context: "Code?", key: interactionKey.value },
    end === "logged_in" ? { status: "logged_in", key: sessionKey.value } : { status: "user_blocked" },
  ];
  const bank = await startService(
    respondAs(async (request) => {
      bodies.push(request.url, await request.text());
      return Response.json(responses.shift());
    }),
  );
  const bodies: string[] = [];
  const channels: Record<"store" | "ends" | "errors" | "log" | "status" | "traffic" | "console", unknown[]> = {
    store: [],
    ends: [],
    errors: [],
    log: [],
    status: [],
    traffic: [],
    console: [],
  };
  const set = await stage(
    {
      store: watchStore(channels.store),
      onEvent: (event) => void channels.log.push(event),
      onError: (error) => void channels.errors.push(error),
      onEnd: (ending) => void channels.ends.push(ending),
    },
    { bank },
  );
  const read = async () => channels.status.push(await set.hosted.read(created.id));
  const created = await set.hosted.create({ user: "42", provider: "test", username: secret(username.value) });
  const { url, ...known } = created;
  channels.status.push(known);
  const browser = createBrowser({}, (...seen) => void channels.traffic.push(...seen));
  const page = await browser.open(url);
  const state = await (await browser.readState()).json();
  await read();
  const form = { provider: "test", username: username.value, password: password.value };
  const asked = await browser.client().login(form);
  if (asked.status !== "interaction_required" || !asked.key) throw new Error(asked.status);
  await read();
  const last = await browser.client().login({ ...form, otp: answer.value }, { key: asked.key });
  expect(last.status).toBe(end);
  await read();
  await expect.poll(() => channels.ends).toHaveLength(1);
  const after = await browser.open(url);
  return { set, created, canaries, channels, browser, state, bodies, pages: [page.text, after.text] };
}

describe.each(["logged_in", "user_blocked"] as const)("a hosted login that ends with %s", (end) => {
  test("has no secret in its address, cookie, store, log, status, ends, errors and pages", async () => {
    const { created, canaries, channels, browser, state, bodies, pages } = await logIn(end);
    const { apiKey: _, sessionKey, ...sent } = canaries;
    // They were there to be found.
    for (const { token } of Object.values(sent)) expect(bodies.join(" ")).toContain(token);
    expect(state).toMatchObject({ provider: "test", username: canaries.username.value });
    const secrets = [...Object.values(sent), sessionKey];
    expect(findCanaries({ created, channels, pages, cookies: [...browser.cookies] }, secrets)).toEqual([]);
  });

  test("writes neither the token of its address nor the secret of its browser anywhere", async () => {
    const { set, created, channels, browser, bodies } = await logIn(end);
    const token = createCanary("token", created.url.split("/").at(-1) ?? "");
    const cookie: Canary = createCanary("cookie", [...browser.cookies.values()][0] ?? "");
    const { traffic, ...others } = channels;
    expect(findCanaries({ others, bodies }, [token, cookie])).toEqual([]);
    // The address is asked for twice, and is in no other request and no response.
    expect(traffic.filter((one) => typeof one === "string" && one.includes(token.token))).toEqual([
      created.url,
      created.url,
    ]);
    expect(set.errors).toEqual([]);
  });
});

test("the key of a hosted login is in takeKey's result alone, and opaque there", async () => {
  const { set, created, canaries } = await logIn("logged_in");
  const key = await set.hosted.takeKey(created.id, RECIPIENT);
  expect(findCanaries(key, [canaries.sessionKey])).toEqual([]);
  expect(reveal(key)).toBe(canaries.sessionKey.value);
});
