import { type BankError, type InteractionPrompt, type LoginOutcome, reveal } from "ventanilla";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, test, vi } from "vitest";
import { formatRelayKey, parseRelayKey } from "../../../src/core/api/relay-login.ts";
import { failed, loginUnread, respondAs, sessionKey, startService, unasked } from "../../bank/service.ts";
import { ANSWER, collectWarnings, createLogin, form, interactionKey, OTP, PLAIN, type Stage, stage } from "./stage.ts";

const destinationsAfter = (set: Stage, outcome: LoginOutcome) =>
  set.browser().listTransferDestinations(sessionKey(outcome));

describe("a browser logs in through the relay", () => {
  test("at once", async () => {
    const set = await stage();
    const outcome = await loginUnread(set.browser(), PLAIN, { onInteraction: unasked });
    expect(await destinationsAfter(set, outcome)).toMatchObject({
      status: "success",
      destinations: [{ id: 1 }, { id: 2 }],
    });
    expect(set.bank.paths()).toEqual(["POST /login/", "GET /transfer/destinations"]);
    expect(set.logins).toMatchObject([{ provider: "test" }]);
    const real = set.logins[0] ? reveal(set.logins[0].key) : "";
    expect(set.bank.keys).toContain(real);
    expect(set.bank.lines().at(-1)).toBe(`GET /transfer/destinations?key=${real}`);
  });

  test("with two questions in a row, each with a step of its own though the service's key stays the same", async () => {
    const set = await stage();
    const answers: Record<string, string> = { personal_question: "arequipa", token: "531975" };
    const outcome = await loginUnread(
      set.browser(),
      { provider: "vicuna_pe", username: "chainsame", password: "s3creto" },
      {
        onInteraction: ({ field }) => answers[field] ?? null,
      },
    );
    expect(await destinationsAfter(set, outcome)).toMatchObject({ status: "success" });
    expect(set.bank.paths()).toEqual([...Array(3).fill("POST /login/"), "GET /transfer/destinations"]);
    const steps = set.traffic.map(({ response }) => JSON.parse(response.text).key).filter(Boolean);
    expect(steps).toEqual(["step-1", "step-2", "step-3"]);
  });

  test("with a second response that has no key", async () => {
    const set = await stage();
    const fields = { type: "smes" };
    const account = { provider: "ipe_br", username: "keyless", password: "s3creto", fields };
    const outcome = await loginUnread(set.browser(), account, { onInteraction: () => "802468" });
    expect(await destinationsAfter(set, outcome)).toMatchObject({ status: "success" });
    expect(set.logins).toHaveLength(1);
  });

  test("with a picture as the bank has sent it", async () => {
    const set = await stage();
    const account = { provider: "mirador_gt", username: "captcha", password: "s3creto" };
    const onInteraction = vi.fn((_: InteractionPrompt) => "7K4MP2");
    expect((await loginUnread(set.browser(), account, { onInteraction })).state).toBe("loggedIn");
    const [[interaction] = []] = onInteraction.mock.calls;
    expect(interaction).toMatchObject({ kind: "picture", picture: { url: interaction?.context } });
  });

  test("with its steps in a header", async () => {
    const set = await stage();
    const outcome = await loginUnread(set.browser(), OTP, { onInteraction: () => "8888" });
    expect(await destinationsAfter(set, outcome)).toMatchObject({ status: "success" });
    expect(set.traffic.map(({ request }) => new URL(request.url).search)).toEqual(["", "", ""]);
    expect(set.traffic.map(({ request }) => request.headers.has("x-session-key"))).toEqual([false, true, true]);
  });

  /** A bank whose session key is this one. */
  const stageKey = async (key: string) => {
    const bank = await startService(
      respondAs(async ({ method, url }) => {
        if (method === "GET") return Response.json({ status: "success", destinations: [] });
        const status = new URL(url).searchParams.has("key") ? "logged_in" : "interaction_required";
        return Response.json({ status, field: "otp", context: "Code", key });
      }),
    );
    return stage({}, { bank });
  };
  const fields = Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`field_${number}`, `value ${number}`]));

  test("with a long session key", async () => {
    const key = "k".repeat(4_096);
    const set = await stageKey(key);
    const outcome = await loginUnread(set.browser(), { ...OTP, fields }, { onInteraction: () => "8888" });
    expect(await destinationsAfter(set, outcome)).toEqual({ status: "success", destinations: [], skipped: 0 });
    expect(set.bank.requests.map(({ url }) => /key=(.*)/.exec(url)?.[1])).toEqual([undefined, key, key]);
  });
});

test("a bank may name its fields in its own language", async () => {
  const names = ["código", "tipo documento", "pregunta:1", "x".repeat(64), "constructor"];
  const forms: string[][] = [];
  const service = await startService(
    respondAs(async (request) => {
      forms.push([...new URLSearchParams(await request.text()).keys()]);
      return Response.json({ status: "logged_in", key: crypto.randomUUID() });
    }),
  );
  const set = await stage({}, { bank: service });
  const fields = Object.fromEntries(names.map((name) => [name, "value"]));
  const account = { provider: "test", username: "ana", password: "word", fields };
  expect((await loginUnread(set.browser(), account, { onInteraction: unasked })).state).toBe("loggedIn");
  expect(forms).toEqual([expect.arrayContaining(names)]);
});

describe("the choice of a client", () => {
  const select = { provider: "canal_pa", password: "s3creto", fields: { company_code: "7701" } };

  /** A bank with clients of these ids, a key to choose one of them, and the ids that reach the bank. */
  async function stageChoice(ids: readonly string[], respond: () => object = () => ({ status: "success" })) {
    const chosen: string[] = [];
    const service = await startService(
      respondAs(async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/login/") return Response.json({ status: "select_client", key: crypto.randomUUID() });
        const clients = Object.fromEntries(ids.map((id, index) => [id, `Client ${index}`]));
        if (pathname === "/client/") return Response.json({ status: "success", clients });
        chosen.push(decodeURIComponent(/^\/client\/([^/]+)\/$/.exec(pathname)?.[1] ?? ""));
        return Response.json(respond());
      }),
    );
    const set = await stage({ clientSelection: true, rateLimit: false }, { bank: service });
    return { chosen, set, key: await interactionKey(set, { ...PLAIN, username: "any" }) };
  }

  test("reaches the bank unchanged, whatever the id of the client", async () => {
    const ids = ["~", "~QS8x", "ñandú 7", "a.b", "x;y", "__proto__x", "plain"];
    const { chosen, set } = await stageChoice(ids);
    for (const [index, id] of ids.entries()) {
      const outcome = await loginUnread(
        set.browser(),
        { ...select, username: "any" },
        {
          onInteraction: unasked,
          onSelectClient: (clients) => clients.find(({ name }) => name === `Client ${index}`) ?? null,
        },
      );
      expect([id, outcome.state]).toEqual([id, "loggedIn"]);
    }
    expect(chosen).toEqual(ids);
  });

  test("can't be changed once it is sent, even if the bank refuses it", async () => {
    const refuse = () => ({ status: "error", message: "Invalid key" });
    const { chosen, set, key } = await stageChoice(["a", "b"], refuse);
    expect(await set.browser().selectClient(key, "a")).toMatchObject({ status: "invalid_key" });
    expect(await set.browser().selectClient(key, "b")).toMatchObject({ status: "invalid_key" });
    expect(chosen).toEqual(["a"]);
  });

  test("made several times at once reaches the bank once, and that one's session is handed over", async () => {
    const ids = ["a", "b", "c"];
    const { chosen, set, key } = await stageChoice(ids);
    const responses = await Promise.all(ids.map((id) => set.browser().selectClient(key, id)));
    // The others get the result of the first one: their login has this session.
    expect(responses.map(({ status }) => status)).toEqual(ids.map(() => "success"));
    expect(chosen).toHaveLength(1);
    expect(set.logins).toHaveLength(1);
  });

  test("can be made again with the refusal's key where the bank says that nothing happened", async () => {
    const responses = [{ status: "error", message: "wrong_client" }, { status: "success" }];
    const { chosen, set, key } = await stageChoice(["a", "b"], () => responses.shift() ?? {});
    const refusal = await set.browser().selectClient(key, "a");
    if (refusal.status !== "wrong_client" || !refusal.key) throw new Error(refusal.status);
    // From a page that does not know of the refusal yet.
    expect(await set.browser().selectClient(key, "b")).toMatchObject({ status: "wrong_client" });
    expect(await set.browser().selectClient(refusal.key, "b")).toMatchObject({ status: "success" });
    expect(chosen).toEqual(["a", "b"]);
    expect(set.logins).toHaveLength(1);
  });

  test("is not found where the relay does not serve it, and onLogin is not called", async () => {
    const set = await stage();
    const outcome = await loginUnread(set.browser(), { ...select, username: "newkey" }, { onInteraction: unasked });
    expect(outcome).toMatchObject({ state: "failed", failure: { code: "client_selection_off" } });
    expect(set.logins).toHaveLength(0);
    for (const path of ["/client/", "/client/0/", "/logout/"]) expect((await set.send(path)).status).toBe(404);
    expect(set.bank.paths()).toEqual(["POST /login/"]);
  });
});

describe("too many sessions", () => {
  const user = { provider: "faro_uy", username: "sessions", password: "s3creto" };

  test("are refused without the key of the other session where it does not", async () => {
    const set = await stage();
    const outcome = await loginUnread(set.browser(), user, { onInteraction: unasked });
    expect(outcome).toEqual({ ...failed("max_sessions_reached", { httpStatus: 403 }), provider: "faro_uy" });
    expect(JSON.parse(set.traffic[0]?.response.text ?? "")).toEqual({ status: "max_sessions_reached" });
  });
});

test("a relay under a path serves that path alone", async () => {
  collectWarnings();
  const set = await stage({ path: "/bank" });
  expect((await set.send("/bank/provider/")).status).toBe(200);
  for (const path of ["/provider/", "/bank", "/bank/", "/bankprovider/", "/bank/bank/provider/"]) {
    expect((await set.send(path)).status, path).toBe(404);
  }
  expect(set.bank.paths()).toEqual(["GET /provider/"]);
});

describe("the id in the log", () => {
  const idsOf = (...sets: Stage[]) => sets.flatMap(({ events }) => events.map(({ id }) => id));

  test("joins a login, its answer, its session and its faults at every instance, and no other login", async () => {
    const store = createMemoryStore({ rows: new Map() });
    const faults: [code: string, id: string][] = [];
    const options = { store, onError: ({ code }: BankError, { id }: { id: string }) => void faults.push([code, id]) };
    const first = await stage(options);
    const onLogin = vi.fn();
    const second = await stage({ ...options, onLogin }, first);
    const begin = async () => {
      const key = await interactionKey(first);
      return { key, id: parseRelayKey(key).id };
    };
    const login = await begin();
    const { key: step } = await (await second.send("/login/", form(ANSWER), login.key)).json();
    const session = formatRelayKey({ ...parseRelayKey(login.key), last: 2, step });
    await second.send("/transfer/destinations", {}, session);
    onLogin.mockRejectedValue(new TypeError());
    const broken = await begin();
    await second.send("/login/", form(ANSWER), broken.key);

    expect(broken.id).not.toBe(login.id);
    expect(idsOf(first)).toEqual([login.id, broken.id]);
    expect(idsOf(second)).toEqual([login.id, login.id, broken.id]);
    expect(onLogin.mock.calls).toMatchObject([[{ id: login.id }], [{ id: broken.id }]]);
    expect(faults).toEqual([["handler_failed", broken.id]]);
    expect(second.events).toMatchObject([{}, {}, { reason: "handler_failed" }]);
    expect(second.events.map(({ provider }) => provider)).toEqual(["test", "test", "test"]);
    for (const { response } of [...first.traffic, ...second.traffic]) expect(response.text).not.toContain(login.id);
  });

  test("is that of the first request in a repeat of it", async () => {
    const set = await stage();
    const key = formatRelayKey(createLogin());
    for (const _ of [1, 2]) await set.send("/login/", form(PLAIN), key);
    expect(set.bank.requests).toHaveLength(1);
    expect(idsOf(set)).toEqual([parseRelayKey(key).id, parseRelayKey(key).id]);
    expect(set.events.map(({ provider }) => provider)).toEqual(["test", "test"]);
  });
});
