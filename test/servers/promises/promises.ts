import { expect, vi } from "vitest";
import type { Reply } from "../../bank/service.ts";
import { ANSWER, type Form, forms, QUESTION, typed } from "./bank.ts";
import { type Person, sees } from "./browser.ts";
import { type Door, type DoorName, type HostedDoor, openPage, type PageDoor, type RelayDoor } from "./doors.ts";

// What must not change, by the sentences of the documentation. A proof sees what the bank counts, what the person is told, what the store, the
// browser and the log have, and what the back end gets.

/** Proves a sentence at a door. */
export type Proof<Opened extends Door> = (open: () => Promise<Opened>) => Promise<void>;

/** Why a sentence says nothing of a door. */
type Reason =
  | "a relay has no address that is opened again"
  | "a relay hands each session key to onLogin, and keeps none"
  | "the sentence is about a hosted session"
  | "an app has no tabs"
  | "an app of React Native has no onLine"
  | "a hosted login belongs to a browser, and not to an account"
  | "a hosted login keeps nothing in the browser"
  | "the sentence is about a page behind a relay"
  | "only serve has a webhook"
  | "a folder can't be held up by a test"
  | "another row says it of a hosted login";

type Cell<Opened extends Door> = Proof<Opened> | Reason;

export interface Row extends Readonly<Record<DoorName, Cell<never>>> {
  readonly doc: `docs/${string}.md`;
  /** The sentence, or the row of a table, by its exact words. */
  readonly says: string;
  readonly page: Cell<PageDoor>;
  readonly app: Cell<RelayDoor>;
  readonly hosted: Cell<HostedDoor>;
  readonly serve: Cell<HostedDoor>;
}

const onAll = (proof: Proof<RelayDoor>) => ({ page: proof, app: proof, hosted: proof, serve: proof });
const onHosted = <Why extends Reason>(proof: Proof<HostedDoor>, why: Why) =>
  ({ page: why, app: why, hosted: proof, serve: proof }) as const;
const onRelay = <Why extends Reason>(proof: Proof<RelayDoor>, why: Why) =>
  ({ page: proof, app: proof, hosted: why, serve: why }) as const;

const isIn = (text: string, words: readonly string[]) => words.filter((word) => text.includes(word));

const MINUTE = 60_000;
const pass = (milliseconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });

/** Runs something once for each door. Its result has no part of the door, which is closed after the first test that asks for it. */
function once<Opened extends Door, Result>(run: (door: Opened) => Promise<Result>) {
  const results = new WeakMap<() => Promise<Opened>, Promise<Result>>();
  return (open: () => Promise<Opened>): Promise<Result> => {
    const result = results.get(open) ?? open().then(run);
    results.set(open, result);
    return result;
  };
}

/**
 * A login with a question, and all that was seen of it: the person presses each button twice, the network repeats each request, and the page is
 * opened again.
 */
const watchLogin = once(async (door: RelayDoor) => {
  const person = await door.arrive();
  person.network.isRepeating = true;
  await sees(person, "idle");
  await person.submit(forms.asked, 2);
  await sees(person, "awaitingInteraction");
  const kept = [person.stored()];
  const contentWhileAsked = await door.store.content();
  await person.reload();
  await sees(person, "awaitingInteraction");
  kept.push(person.stored());
  await person.answer(ANSWER, 2);
  await sees(person, "loggedIn");
  kept.push(person.stored());
  await isToldOnce(door);
  return {
    posts: door.bank.posts(),
    ends: [...door.ends],
    keys: [...door.bank.keys],
    secrets: door.secrets,
    tokens: findTokens(door),
    stored: door.store.written() + contentWhileAsked + (await door.store.content()),
    kept: kept.join("\n"),
    traffic: [...door.traffic],
    log: door.log(),
  };
});

/** What says that a request is of the page of its login: a header of a relay's pages, or a cookie of a hosted login. */
const findTokens = ({ traffic }: Door): readonly string[] => [
  ...new Set(traffic.flatMap(({ sent }) => /^(?:x-ventanilla-token,|cookie,.*=)([\w-]{32,})$/m.exec(sent)?.[1] ?? [])),
];

/** The same at an address, and the key that its back end takes. */
const watchAddress = once(async (door: HostedDoor) => {
  const { id, url } = await door.create({ returnTo: "https://shop.example/done" });
  const browser = door.openBrowser();
  const tab = await browser.openTab(url);
  await sees(tab, "idle");
  await tab.submit(forms.plain);
  await isToldOnce(door);
  await expect.poll(() => door.traffic.filter((one) => one.url === url)).toHaveLength(2);
  return {
    token: url.slice(url.lastIndexOf("/") + 1),
    url,
    id,
    cookies: [...browser.cookies.values()],
    traffic: [...door.traffic],
    others: door.store.written() + door.log() + door.bank.requests.map((request) => JSON.stringify(request)).join(),
  };
});

const faults = {
  401: { http: 401, text: "<h1>Proxy</h1>" },
  429: { http: 429, text: "<h1>Proxy</h1>" },
  307: { http: 307, headers: { location: "/elsewhere/" } },
  503: { http: 503, text: "<h1>Proxy</h1>" },
  302: { http: 302, headers: { location: "/elsewhere/" } },
  500: { http: 500, text: "<h1>Proxy</h1>" },
  broken: "broken",
} as const satisfies Readonly<Record<string, Reply>>;

type Fault = keyof typeof faults | "closed";

/** What a person is told of each response of a proxy, one after the other, and how many logins the bank's address has got. */
const meetFaults = once(async (door: RelayDoor) => {
  const person = await door.arrive();
  await sees(person, "idle");
  const told = new Map<Fault, string | undefined>();
  const submit = async (fault: Fault) => {
    // A new user name for each: a budget protects the account of one.
    await person.submit({ ...forms.plain, username: `ana-${fault}` } as unknown as Form);
    await expect.poll(() => door.traffic.filter(({ method }) => method === "POST")).toHaveLength(told.size + 1);
    await sees(person, "failed");
    told.set(fault, person.failure());
  };
  for (const [fault, reply] of Object.entries(faults)) {
    door.bank.respondOnce(reply);
    await submit(fault as unknown as Fault);
  }
  const posts = door.bank.posts().length;
  await door.bank.close();
  await submit("closed");
  return { told, posts };
});

const tells = (code: string, ...expected: readonly Fault[]) =>
  onAll(async (open) => {
    const { told, posts } = await meetFaults(open);
    expect(expected.map((fault) => told.get(String(fault) as Fault))).toEqual(expected.map(() => code));
    expect(posts).toBe(Object.keys(faults).length);
  });

/** Waits until the back end was told of an end. */
async function isToldOnce(door: Door): Promise<void> {
  await expect.poll(() => door.ends.length).toBeGreaterThan(0);
  expect(door.ends).toHaveLength(1);
}

/** A person whose login is at the bank, which does not respond until it is let. */
async function waitAtBank<Who extends Person>(
  { bank }: Door,
  person: Who,
  form: Form = forms.plain,
  posts = 1,
): Promise<{ readonly person: Who; readonly respond: () => void }> {
  await sees(person, "idle");
  const respond = bank.hold();
  await person.submit(form);
  await expect.poll(bank.posts).toHaveLength(posts);
  return { person, respond };
}

async function ask<Who extends Person>(person: Who): Promise<Who> {
  await sees(person, "idle");
  await person.submit(forms.asked);
  await sees(person, "awaitingInteraction");
  return person;
}

/** An address, open in a browser. */
async function openAddress(door: HostedDoor, session: Parameters<HostedDoor["create"]>[0] = {}) {
  const created = await door.create(session);
  const browser = door.openBrowser();
  return { ...created, browser, tab: await browser.openTab(created.url) };
}

/** An address in three tabs of a browser, one of them opened while the bank works. Two send the form, and two the answer. */
const useTabs = once(async (door: HostedDoor) => {
  const { tab, browser, url } = await openAddress(door);
  const other = await browser.openTab(url);
  await Promise.all([sees(tab, "idle"), sees(other, "idle")]);
  const respond = door.bank.hold();
  await tab.submit(forms.asked);
  await expect.poll(door.bank.posts).toHaveLength(1);
  const late = await browser.openTab(url);
  await sees(late, "submitting");
  await other.submit(forms.asked);
  respond();
  await Promise.all([tab, other, late].map((one) => sees(one, "awaitingInteraction")));
  await Promise.all([tab.answer(), other.answer()]);
  await Promise.all([sees(tab, "loggedIn"), sees(other, "loggedIn")]);
  await late.reload();
  await sees(late, "loggedIn");
  await isToldOnce(door);
  return door.bank.posts().length;
});

const agreeInTabs = onHosted(async (open) => {
  expect(await useTabs(open)).toBe(2);
}, "a relay has no address that is opened again");

/** A session key that is asked for too early, while the store fails, by two at once, by both again, and too late. */
const takeKeys = once(async (door: HostedDoor) => {
  const { tab, id } = await openAddress(door);
  const take = async () => {
    const taken = await Promise.all(["job 1", "job 2"].map((recipient) => door.takeKey(id, recipient)));
    return taken.map((text) => (door.bank.keys.has(text) ? "the key" : text));
  };
  await sees(tab, "idle");
  const early = await take();
  await tab.submit(forms.plain);
  await sees(tab, "loggedIn");
  door.store.fail();
  const failed = await take();
  door.store.recover();
  const first = await take();
  const again = await take();
  pass(10 * MINUTE);
  return { early, failed, first, again, late: await take() };
});

const givesKeyToOneRecipient = onHosted(async (open) => {
  const { early, failed, first, again, late } = await takeKeys(open);
  const refused = ["key_unavailable", "key_unavailable"];
  expect({ early, late }).toEqual({ early: refused, late: refused });
  expect(failed).not.toContain("the key");
  expect(first.toSorted()).toEqual(["key_unavailable", "the key"]);
  expect(again).toEqual(first);
}, "a relay hands each session key to onLogin, and keeps none");

/** A login of which a request, the wait at the bank and a response are lost. The person opens the page again each time. */
const loseEverything = once(async (door: RelayDoor) => {
  const person = await door.arrive();
  await sees(person, "idle");
  person.network.lose("request");
  await person.submit(forms.asked);
  await sees(person, "failed");
  await person.reload();
  // With a failure that says that nothing was sent, or without one.
  await sees(person, "idle", "failed");
  const unsent = door.bank.posts().length;
  const respond = door.bank.hold();
  await person.submit(forms.asked);
  await expect.poll(door.bank.posts).toHaveLength(1);
  person.network.drop();
  await sees(person, "failed", "submitting");
  await person.reload();
  await sees(person, "submitting");
  respond();
  await sees(person, "awaitingInteraction");
  person.network.lose("response");
  await person.answer();
  // The page has asked automatically.
  await sees(person, "loggedIn");
  await isToldOnce(door);
  return { unsent, posts: door.bank.posts().length };
});

/** Nothing that was lost is sent again, and what the bank has said is shown. */
const losesNothing: Proof<RelayDoor> = async (open) => {
  expect(await loseEverything(open)).toEqual({ unsent: 0, posts: 2 });
};

/** A login whose store fails before the submit is claimed, and again while the bank works. */
const failStore = once(async (door: RelayDoor) => {
  const person = await door.arrive();
  await sees(person, "idle");
  door.store.fail();
  await person.submit(forms.plain);
  await sees(person, "failed");
  const unsent = door.bank.posts().length;
  door.store.recover();
  const respond = door.bank.hold();
  await person.submit(forms.plain);
  await expect.poll(door.bank.posts).toHaveLength(1);
  const faults = door.log().split("handler_failed").length;
  door.store.fail();
  respond();
  await expect
    .poll(() => door.log().split("handler_failed").length > faults || person.told() === "loggedIn")
    .toBe(true);
  door.store.recover();
  await sees(person, "loggedIn");
  await isToldOnce(door);
  return { unsent, posts: door.bank.posts().length };
});

const reliability = "docs/reliability.md";
const security = "docs/security.md";
const relay = "docs/relay.md";
const hosted = "docs/hosted.md";

export const promises = [
  {
    doc: reliability,
    says: "In all tests a login was sent twice **0** times, counted at the bank",
    ...onAll(async (open) => {
      const { posts } = await watchLogin(open);
      expect(posts.map(({ form }) => [form["username"], form["password"], form["otp"]])).toEqual([
        [forms.asked.username, forms.asked.password, undefined],
        [forms.asked.username, forms.asked.password, ANSWER],
      ]);
    }),
  },
  {
    doc: reliability,
    says: "401 | no: a proxy asks for an identification before it passes anything on | `http_failed` | 500",
    ...tells("http_failed", 401),
  },
  {
    doc: reliability,
    says: "429 | no: there were too many requests | `rate_limited` | 429",
    ...tells("rate_limited", 429),
  },
  {
    doc: reliability,
    says: "301, 307, 308 | no: the service has another address | `redirect_refused` | 500",
    ...tells("http_failed", 307),
  },
  {
    doc: reliability,
    says: "no connection was made | no | `network_failed` | 502",
    ...tells("service_unavailable", "closed"),
  },
  {
    doc: reliability,
    says: "503 | perhaps: the service was not there, or it has stopped after it took the login | `service_unavailable` | 503",
    ...tells("service_unavailable", 503),
  },
  {
    doc: reliability,
    says: "302, 303, and any redirect in a browser, which hides its code | perhaps: services also send them after they have taken a form | `redirect_refused` | 409",
    ...tells("outcome_unknown", 302),
  },
  {
    doc: reliability,
    says: "anything else, a connection that breaks, no response in time | perhaps | `outcome_unknown`, `network_failed`, `request_timed_out` | 409",
    ...tells("outcome_unknown", 500, "broken"),
  },
  {
    doc: reliability,
    says: "a person submits, answers, chooses a client or replaces a session while the browser knows that it is offline (`navigator.onLine`) | nothing is sent; the screen and what was typed stay, and a text says so. `<bank-login>` takes the text back when the connection returns. React Native has no `onLine`: there the login is sent",
    ...(() => {
      const proof: Proof<PageDoor | HostedDoor> = async (open) => {
        const door = await open();
        const tab = await door.arrive();
        await sees(tab, "idle");
        const before = door.traffic.length;
        tab.goOffline();
        await tab.submit(forms.plain);
        await sees(tab, "idle");
        expect(tab.typedPassword()).toBe(forms.plain.password);
        expect(door.traffic).toHaveLength(before);
      };
      return { page: proof, app: "an app of React Native has no onLine", hosted: proof, serve: proof } as const;
    })(),
  },
  {
    doc: reliability,
    says: "a page behind a relay is reloaded, or the tab crashes, while the bank works or asks | with `readUser` or an `account` it [continues where it was](relay.md#after-a-reload), for the same account: at the wait, the interaction, the choice of a client or the end; without both the person logs in again",
    ...onRelay(async (open) => {
      const door = await open();
      const { person, respond } = await waitAtBank(door, await door.arrive(), forms.asked);
      await person.reload();
      await sees(person, "submitting");
      respond();
      await sees(person, "awaitingInteraction");
      await person.reload();
      await sees(person, "awaitingInteraction");
      await person.answer();
      await sees(person, "loggedIn");
      expect(door.bank.posts()).toHaveLength(2);
    }, "a hosted login keeps nothing in the browser"),
  },
  {
    doc: relay,
    says: "Without `readUser` a page that is reloaded while the bank works or asks has lost the login, unless its app gives an `account`: the person logs in again",
    page: async () => {
      for (const hasAccounts of [true, false]) {
        const door = await openPage({ readUser: false, hasAccounts });
        const tab = await ask(await door.arrive());
        await tab.reload();
        await sees(tab, hasAccounts ? "awaitingInteraction" : "idle");
        await (hasAccounts ? tab.answer() : tab.submit(forms.plain));
        await sees(tab, "loggedIn");
        expect(door.bank.posts()).toHaveLength(2);
      }
    },
    app: "the sentence is about a page behind a relay",
    hosted: "the sentence is about a page behind a relay",
    serve: "the sentence is about a page behind a relay",
  },
  {
    doc: relay,
    says: "**If a response is lost, or the submit still runs**, wait as long as `Retry-After` says, or else three seconds, and ask with `GET /submit/`, until it has the response that the submit would have got.",
    ...onAll(losesNothing),
  },
  {
    doc: reliability,
    says: "the connection is gone during the wait, or a proxy responds in place of the server | the login continues, and the page asks how it ended. If it has not come, nothing is sent, and the page says so",
    ...onAll(losesNothing),
  },
  {
    doc: relay,
    says: "**A submit that has not come** is HTTP 404, `unknown_submit`: nothing was sent, and it is refused if it comes later. It can be sent again under the next number.",
    ...onAll(losesNothing),
  },
  {
    doc: reliability,
    says: "so the bank gets one. A repeat gets the first response, at every instance.",
    ...onAll(async (open) => {
      const { posts, traffic } = await watchLogin(open);
      expect(posts).toHaveLength(2);
      const bodies = traffic.flatMap(({ method, received }) =>
        method === "POST"
          ? [
              received
                .split("\n")
                .at(-1)
                ?.replace(/"time_left":\d+/, ""),
            ]
          : [],
      );
      expect(bodies).toHaveLength(4);
      expect(new Set(bodies).size).toBe(2);
    }),
  },
  {
    doc: relay,
    says: "**Two tabs** that answer send the same number: one answer reaches the bank, and the other tab gets the same response.",
    page: async (open) => {
      const door = await open();
      const tab = await ask(await door.arrive());
      const other = await tab.duplicate();
      await sees(other, "awaitingInteraction");
      await tab.answer();
      await sees(tab, "loggedIn");
      await other.answer();
      await sees(other, "loggedIn");
      expect(door.bank.posts()).toHaveLength(2);
    },
    app: "an app has no tabs",
    hosted: "another row says it of a hosted login",
    serve: "another row says it of a hosted login",
  },
  {
    doc: relay,
    says: "It keeps no user name, password, answer, interaction or key.",
    ...onRelay(async (open) => {
      const { kept, keys } = await watchLogin(open);
      expect(isIn(kept, [...typed, QUESTION, ...keys])).toEqual([]);
      const person = await (await open()).arrive();
      await sees(person, "idle");
      await person.submit(forms.chooser);
      await sees(person, "selectClient");
      expect(person.stored()).not.toContain(forms.chooser.username);
      await person.reload();
      await sees(person, "selectClient");
    }, "a hosted login keeps nothing in the browser"),
  },
  {
    doc: relay,
    says: "gets `{ id, provider, key, user, request }` before the browser gets the response",
    ...onRelay(async (open) => {
      const { ends, keys } = await watchLogin(open);
      expect(ends).toEqual([{ user: "ana", status: "logged_in", key: keys.at(-1) }]);
    }, "the sentence is about a page behind a relay"),
  },
  {
    doc: hosted,
    says: "`onEnd({ id, user, status, provider?, failure?, lastStep?, login?, loggedInAt? })` is called once.",
    ...onHosted(async (open) => {
      const { ends } = await watchLogin(open);
      expect(ends).toEqual([{ id: expect.any(String), user: "ana", status: "logged_in" }]);
    }, "a relay hands each session key to onLogin, and keeps none"),
  },
  {
    doc: "docs/steps.md",
    says: "`cancel`, `changeProvider` and `cancelLink` forget it.",
    ...onRelay(async (open) => {
      const door = await open();
      const { person, respond } = await waitAtBank(door, await door.arrive());
      await person.cancel();
      await sees(person, "cancelled", "idle");
      respond();
      await person.reload();
      await sees(person, "idle");
      await person.submit(forms.asked);
      await sees(person, "awaitingInteraction");
      await person.cancel();
      await person.reload();
      await sees(person, "idle");
      expect(door.bank.posts()).toHaveLength(2);
    }, "another row says it of a hosted login"),
  },
  {
    doc: reliability,
    says: "the store pauses, a table is locked, the caller's connection is gone when the [session key](hosted.md#the-key) is taken | the same recipient calls again and gets it, for ten minutes (`keyRetention`)",
    ...givesKeyToOneRecipient,
  },
  {
    doc: reliability,
    says: "the store fails before a submit is claimed | nothing is sent; the person is told, and sends it again",
    ...onAll(async (open) => {
      expect((await failStore(open)).unsent).toBe(0);
    }),
  },
  {
    doc: reliability,
    says: "the store fails while the bank answers | the end is written again for two minutes, and the page waits. Nothing is lost; to the person the bank seems slow",
    ...onAll(async (open) => {
      expect((await failStore(open)).posts).toBe(1);
    }),
  },
  {
    doc: reliability,
    says: "the address is opened again: another tab, a reload, a crash, an hour in another app | it shows the interaction, the wait or the end",
    ...agreeInTabs,
  },
  {
    doc: hosted,
    says: "**It shows where the session is**, in any tab of that browser",
    ...onHosted(async (open) => {
      const door = await open();
      const { tab, id } = await openAddress(door);
      await sees(tab, "idle");
      await tab.submit(forms.chooser);
      await sees(tab, "selectClient");
      await tab.reload();
      await sees(tab, "selectClient");
      await tab.choose();
      await sees(tab, "loggedIn");
      expect(await door.takeKey(id, "job 1")).toBe([...door.bank.keys].at(-1));
      expect(door.bank.posts()).toHaveLength(1);
    }, "a relay has no address that is opened again"),
  },
  {
    doc: reliability,
    says: "two tabs, a double click, a browser's or a balancer's repeat | one request at the bank; both show its response",
    ...agreeInTabs,
  },
  {
    doc: reliability,
    says: "the person taps the × | it asks; before the first submit the address stays good",
    ...onHosted(async (open) => {
      const door = await open();
      const { tab, id } = await openAddress(door);
      await sees(tab, "idle");
      await tab.cancel();
      await sees(tab, "comesBack");
      await tab.reload();
      await ask(tab);
      await tab.cancel();
      await sees(tab, "cancelled");
      await expect.poll(() => door.read(id)).toBe("cancelled");
      await expect.poll(() => door.ends.map(({ status }) => status)).toEqual(["cancelled"]);
      expect(door.bank.posts()).toHaveLength(1);
    }, "a relay has no address that is opened again"),
  },
  {
    doc: reliability,
    says: "a second address, of another person, in the same browser | shows nothing of the first",
    ...onHosted(async (open) => {
      const door = await open();
      const { tab, browser } = await openAddress(door);
      await ask(tab);
      const { url } = await door.create({ user: "eva" });
      await sees(await browser.openTab(url), "idle");
      await tab.answer();
      await sees(tab, "loggedIn");
      await sees(await browser.openTab(url), "idle");
    }, "a relay has no address that is opened again"),
  },
  {
    doc: hosted,
    says: "After `cancel` its key is not handed out",
    ...onHosted(async (open) => {
      const door = await open();
      const { tab, id } = await openAddress(door);
      const { respond } = await waitAtBank(door, tab);
      await door.cancel(id);
      respond();
      await sees(tab, "cancelled");
      expect(await door.takeKey(id, "job 1")).toBe("key_unavailable");
      await expect.poll(() => door.ends.map(({ status }) => status)).toEqual(["cancelled"]);
      expect(door.bank.posts()).toHaveLength(1);
    }, "the sentence is about a hosted session"),
  },
  {
    doc: hosted,
    says: "Open sessions end: their addresses show that there is nothing, and `onEnd` is not called.",
    ...onHosted(async (open) => {
      const door = await open();
      const { tab, id } = await openAddress(door, { user: "cnryuser81d2", username: forms.asked.username });
      await ask(tab);
      await door.erase("cnryuser81d2");
      expect(await door.read(id)).toBe("session_not_found");
      expect(await door.takeKey(id, "job 1")).toBe("session_not_found");
      await tab.answer();
      await sees(tab, "over");
      expect(door.store.written() + (await door.store.content())).not.toContain("cnryuser81d2");
      expect(door.ends).toEqual([]);
      expect(door.bank.posts()).toHaveLength(1);
    }, "the sentence is about a hosted session"),
  },
  {
    doc: "docs/production.md",
    says: "Open logins end, and nothing of them is sent after it.",
    ...onRelay(async (open) => {
      const door = await open();
      const asked = await ask(await door.arrive());
      const { person, respond } = await waitAtBank(door, await door.arrive("eva"), forms.plain, 2);
      // The bank has got a first login of each.
      for (const user of ["ana", "eva"]) expect(await door.erase(user)).toEqual({ logins: 1, mayHaveArrived: 1 });
      respond();
      await asked.answer();
      await Promise.all([sees(asked, "failed"), sees(person, "failed")]);
      expect(door.bank.posts()).toHaveLength(2);
      expect(door.ends).toEqual([]);
    }, "another row says it of a hosted login"),
  },
  {
    doc: hosted,
    says: "The last four are final.",
    page: "the sentence is about a hosted session",
    app: "the sentence is about a hosted session",
    // The store is slow at the moment at which a submit is claimed. The session ends before it.
    hosted: async (open) => {
      const sent: Record<string, number> = {};
      for (const end of ["cancel", "erase"] as const) {
        const door = await open();
        const { tab, id } = await openAddress(door);
        await sees(tab, "idle");
        // Where a page notes that it was opened, it has done so.
        await expect.poll(() => door.read(id)).toBe("opened");
        const slow = door.store.holdWrite?.();
        await tab.submit(forms.plain);
        await slow?.held;
        await (end === "cancel" ? door.cancel(id) : door.erase("ana"));
        slow?.release();
        await expect.poll(() => door.traffic.some(({ method }) => method === "POST")).toBe(true);
        sent[end] = door.bank.posts().length;
      }
      expect(sent).toEqual({ cancel: 0, erase: 0 });
    },
    serve: "a folder can't be held up by a test",
  },
  {
    doc: hosted,
    says: "After the expiry the login can still end as `logged_in`, as long as an instance works on it.",
    ...onHosted(async (open) => {
      const door = await open();
      const { tab, id } = await openAddress(door);
      const { respond } = await waitAtBank(door, tab);
      pass(15 * MINUTE);
      respond();
      await sees(tab, "loggedIn");
      expect(await door.read(id)).toBe("logged_in");
      await expect.poll(() => door.ends.map(({ status }) => status)).toEqual(["logged_in"]);
    }, "the sentence is about a hosted session"),
  },
  {
    doc: hosted,
    says: "The result of a login that is at the bank is not kept",
    ...onHosted(async (open) => {
      const door = await open();
      const { tab, id } = await openAddress(door, { user: "cnryuser81d2" });
      const { respond } = await waitAtBank(door, tab);
      await door.erase("cnryuser81d2");
      respond();
      await sees(tab, "over");
      expect(await door.takeKey(id, "job 1")).toBe("session_not_found");
      expect(await door.store.content()).not.toContain("cnryuser81d2");
      expect(door.ends).toEqual([]);
    }, "the sentence is about a hosted session"),
  },
  {
    doc: hosted,
    says: "`expiresIn` | 900 000 | milliseconds in which the person can start and answer",
    ...onHosted(async (open) => {
      const door = await open();
      const { tab, id } = await openAddress(door);
      await sees(tab, "idle");
      pass(15 * MINUTE);
      await tab.submit(forms.plain);
      await sees(tab, "over");
      expect(await door.read(id)).toBe("expired");
      await expect.poll(() => door.ends.map(({ status }) => status)).toEqual(["expired"]);
      expect(door.bank.posts()).toEqual([]);
    }, "the sentence is about a hosted session"),
  },
  {
    doc: security,
    says: "logs, devtools, the Stately inspector, crash reporters, stored snapshots | outcomes, errors, snapshots, statechart events, hooks | a secret prints as `[secret]`: its value is in a module's `WeakMap`, not in the object. Errors hold code, HTTP status and path template",
    ...onAll(async (open) => {
      const { log, keys, secrets, tokens } = await watchLogin(open);
      expect(log).toContain("interaction_required");
      expect(isIn(log, [...typed, QUESTION, ...keys, ...secrets, ...tokens])).toEqual([]);
    }),
  },
  {
    doc: security,
    says: 'access logs of the service and of proxies; scripts that read `performance.getEntriesByType("resource")` | the address with `?key=` | `sessionKeyIn: "header"`. In requests to a relay the session key is never there',
    ...onAll(async (open) => {
      const { traffic, keys, secrets, tokens } = await watchLogin(open);
      expect(keys.length).toBeGreaterThan(0);
      for (const { url, sent, received } of traffic) {
        expect(isIn(url, [...typed, ...keys, ...secrets, ...tokens])).toEqual([]);
        expect(isIn(sent, [...keys, ...secrets])).toEqual([]);
        expect(isIn(received, [...typed, ...keys, ...secrets])).toEqual([]);
      }
    }),
  },
  {
    doc: security,
    says: "The store has one sealed row for each login.",
    ...onAll(async (open) => {
      const { stored, keys, secrets, tokens } = await watchLogin(open);
      expect(stored.length).toBeGreaterThan(100);
      expect(tokens).toHaveLength(1);
      expect(isIn(stored, [...typed, QUESTION, ...keys, ...secrets, ...tokens])).toEqual([]);
    }),
  },
  {
    doc: security,
    says: "the next account that signs in to your site in the same tab | the id and token of the previous account's login, which without `readUser` show its interaction | [`account`](steps.md#after-a-reload) names the kept login; `forgetKeptLogins()` at sign-out forgets it, and cancels it at the relay. With `readUser` no other user can use them",
    page: async (open) => {
      const door = await open();
      const browser = door.openBrowser("ana");
      const tab = await ask(await browser.openTab(`${door.url}/`));
      browser.cookies.set("user", "eva");
      await tab.reload();
      await sees(tab, "idle");
      browser.cookies.set("user", "ana");
      await tab.reload();
      await sees(tab, "awaitingInteraction");
      // A page that is still open has the question of the account before. Her answer is not sent on.
      browser.cookies.set("user", "eva");
      await tab.answer();
      await sees(tab, "failed");
      expect(door.bank.posts()).toHaveLength(1);
    },
    app: "an app has no tabs",
    hosted: "a hosted login belongs to a browser, and not to an account",
    serve: "a hosted login belongs to a browser, and not to an account",
  },
  {
    doc: security,
    says: "a person who gets the address before its own person has logged in | see the name of your app and, if they were given, the bank and the user name there; log in with their own account; close the login | nothing but the expiry. After the first submit the address belongs to one browser",
    ...onHosted(async (open) => {
      const door = await open();
      const { tab, url } = await openAddress(door);
      const early = await door.openBrowser().openTab(url);
      await sees(early, "idle");
      await ask(tab);
      await sees(await door.openBrowser().openTab(url), "elsewhere");
      await early.submit(forms.plain);
      await sees(early, "elsewhere");
      expect(door.bank.posts()).toHaveLength(1);
      await tab.answer();
      await sees(tab, "loggedIn");
    }, "a relay has no address that is opened again"),
  },
  {
    doc: security,
    says: "a reader of the log, the history or the store, who finds an `id` | nothing | the address has a token whose digest is the id; the store has only the id, and all else of a session is sealed",
    ...onHosted(async (open) => {
      const { id, token, others } = await watchAddress(open);
      expect(others).toContain(id);
      expect(others).not.toContain(token);
      const door = await open();
      const created = await door.create();
      await sees(await door.openBrowser().openTab(created.url.replace(/[^/]+$/, created.id)), "over");
    }, "a relay has no address that is opened again"),
  },
  {
    doc: security,
    says: "a log of the requests to `handle` | open the addresses in it, until the first submit | leave the path out of that log. No other request, nor `returnTo` or a `Referer`, has the token",
    ...onHosted(async (open) => {
      const { traffic, url, token, cookies } = await watchAddress(open);
      const named = traffic.filter((one) => `${one.url}${one.sent}${one.received}`.includes(token));
      expect(named.map((one) => one.url)).toEqual([url, url]);
      expect(named.at(-1)?.received).toMatch(/location,https:\/\/shop\.example\/done\?session=\w+&status=logged_in/);
      for (const { sent, received } of named) expect(isIn(sent + received, [token])).toEqual([]);
      expect(cookies.length).toBeGreaterThan(0);
    }, "a relay has no address that is opened again"),
  },
  {
    doc: security,
    says: "the next person at a shared computer | with the address, in the same browser: see the interaction, answer it, or see the link to `returnTo` | the address: another one shows nothing of the first person. Nothing is in the browser's storage, and user name and password are in no page, on no disk of the browser and, sealed, in the store alone",
    ...onHosted(async (open) => {
      const { kept } = await watchLogin(open);
      expect(kept.trim().replaceAll("{}", "").trim()).toBe("");
    }, "the sentence is about a page behind a relay"),
  },
  {
    doc: security,
    says: "a person who opens the address again, or two tabs | send a second login by it, and make a code worthless | the session's record: each submit has a number, and of two with the same one is sent",
    ...agreeInTabs,
  },
  {
    doc: security,
    says: "a back end that loses the response with the session key, or takes it twice | lose the key, or have it twice | `idempotencyKey`: the same recipient gets it again, another one never",
    ...givesKeyToOneRecipient,
  },
  {
    doc: hosted,
    says: "It never has a session key",
    page: "only serve has a webhook",
    app: "only serve has a webhook",
    hosted: "only serve has a webhook",
    serve: async (open) => {
      const { log, keys } = await watchLogin(open);
      expect(log).toContain('"type":"session.ended"');
      expect(isIn(log, keys)).toEqual([]);
    },
  },
] as const satisfies readonly Row[];
