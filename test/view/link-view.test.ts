import { type LinkSettings, type LinkView, type LinkViewOptions, type Locale, linkView, reveal } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { describe, expect, test } from "vitest";
import { expectedSecret } from "../bank/service.ts";
import { destinations, type LinkCaseName, providers } from "../model/link-cases.ts";
import { type LoginCaseName, form as typedForm } from "../model/login-cases.ts";
import {
  detail,
  frozen,
  type LinkSnapshot,
  linkAfter,
  linkWith,
  listVerbs,
  loginAfter,
  opened,
  outbox,
  showLogin,
  toData,
} from "./screens.ts";

const dependent: LinkSettings = { dependentChoices: true };
const chosen = ["the banks are listed", "a bank is chosen"] as const;
const atLogin = [...chosen, "the bank's fields are read"] as const;
const ready = [...atLogin, "the login is ready"] as const;

interface Screen {
  readonly when: string;
  readonly settings?: LinkSettings;
  readonly path: readonly LinkCaseName[];
  /** What the login within went through; it has told the link of the last of it. */
  readonly login?: readonly LoginCaseName[];
  readonly step: LinkView["step"];
  readonly isBusy: boolean;
  readonly verbs: readonly string[];
  /** What is shown beside the step. */
  readonly shows: object;
}

const bank = { code: "test", name: "Test Bank", country: "UY", logo: "https://bank.example/logo.png" };
/** The bank as the list names it, before its fields are read. */
const listed = { ...bank, logo: undefined };
const form = expect.objectContaining({ fields: expect.any(Array) });
const unnarrowed = { narrowing: false, narrow: undefined, narrowingFailure: undefined };
const submitted = ["credentials are submitted"] as const;

// By hand, from the contract, section 1, and its appendix.
const screens: readonly Screen[] = [
  {
    when: "it has begun",
    path: [],
    step: "loadingProviders",
    isBusy: true,
    verbs: ["cancelLink"],
    shows: {},
  },
  {
    when: "the banks are listed",
    path: ["the banks are listed"],
    step: "choosingProvider",
    isBusy: false,
    verbs: ["cancelLink", "choose", "search"],
    shows: { providers, countries: ["MX", "UY"] },
  },
  {
    when: "no banks are listed",
    path: ["no banks are listed"],
    step: "choosingProvider",
    isBusy: false,
    verbs: ["cancelLink", "choose", "search"],
    shows: { providers: [], countries: [] },
  },
  {
    when: "a bank is chosen",
    path: chosen,
    step: "loadingFields",
    isBusy: true,
    verbs: ["cancelLink", "changeProvider"],
    shows: { bank: listed },
  },
  {
    when: "the settings name the bank, whose name is not known yet",
    settings: { provider: "test" },
    path: [],
    step: "loadingFields",
    isBusy: true,
    verbs: ["cancelLink"],
    shows: { bank: undefined },
  },
  {
    when: "the login within has not begun yet",
    path: atLogin,
    step: "loadingFields",
    isBusy: true,
    verbs: ["cancelLink", "changeProvider"],
    shows: { bank },
  },
  {
    when: "the login within is ready",
    path: ready,
    step: "enteringCredentials",
    isBusy: false,
    verbs: ["cancelLink", "changeProvider", "submit"],
    shows: { bank, form, ...unnarrowed },
  },
  {
    when: "choices may be narrowed",
    settings: dependent,
    path: ready,
    step: "enteringCredentials",
    isBusy: false,
    verbs: ["cancelLink", "changeProvider", "narrow", "submit"],
    shows: { bank, form, narrowing: false, narrowingFailure: undefined },
  },
  {
    when: "choices are being narrowed",
    settings: dependent,
    path: [...ready, "a choice is made"],
    step: "enteringCredentials",
    isBusy: false,
    verbs: ["cancelLink", "changeProvider", "narrow", "submit"],
    shows: { bank, form, narrowing: true, narrowingFailure: undefined },
  },
  {
    when: "the narrowing is refused",
    settings: dependent,
    path: [...ready, "a choice is made", "the narrowing is refused"],
    step: "enteringCredentials",
    isBusy: false,
    verbs: ["cancelLink", "changeProvider", "narrow", "submit"],
    shows: {
      bank,
      form,
      narrowing: false,
      narrowingFailure: {
        code: "missing_params",
        text: "The service says that a part of the request is missing.",
        recovery: "correct",
        retryAfter: undefined,
      },
    },
  },
  {
    when: "the login within is under way",
    path: ready,
    login: submitted,
    step: "submitting",
    isBusy: true,
    verbs: ["cancel", "cancelLink", "changeProvider"],
    shows: { bank, sent: { form, question: undefined } },
  },
  {
    when: "the bank asks",
    path: ready,
    login: [...submitted, "the bank asks a question"],
    step: "answering",
    isBusy: false,
    verbs: ["answer", "cancel", "cancelLink", "changeProvider"],
    shows: { bank, question: expect.objectContaining({ text: "OTP required", number: 1 }) },
  },
  {
    when: "the clients are being listed",
    settings: { clientSelection: true },
    path: ready,
    login: [...submitted, "the bank wants a client selected"],
    step: "listingClients",
    isBusy: true,
    verbs: ["cancel", "cancelLink", "changeProvider"],
    shows: { bank, sent: { form, question: undefined } },
  },
  {
    when: "a client is to be chosen",
    settings: { clientSelection: true },
    path: ready,
    login: [...submitted, "the bank wants a client selected", "the clients are listed"],
    step: "choosingClient",
    isBusy: false,
    verbs: ["cancel", "cancelLink", "changeProvider", "choose"],
    shows: {
      bank,
      expiresAt: undefined,
      clients: [
        { id: "1", name: "First Client" },
        { id: "FIC-02412222", name: "Second Client" },
      ],
    },
  },
  {
    when: "the client is being selected",
    settings: { clientSelection: true },
    path: ready,
    login: [...submitted, "the bank wants a client selected", "the clients are listed", "a client is chosen"],
    step: "selectingClient",
    isBusy: true,
    verbs: ["cancel", "cancelLink", "changeProvider"],
    shows: { bank },
  },
  {
    when: "the bank wants a client selected and the settings keep to the contract",
    path: ready,
    login: [...submitted, "the bank wants a client selected"],
    step: "clientRequired",
    isBusy: false,
    verbs: ["cancel", "cancelLink", "changeProvider"],
    shows: { bank, key: expectedSecret("key-of-the-selection") },
  },
  {
    when: "the bank refuses the login",
    path: ready,
    login: [...submitted, "the bank refuses the credentials"],
    step: "failed",
    isBusy: false,
    verbs: ["cancel", "cancelLink", "changeProvider", "submit"],
    shows: {
      bank,
      form,
      ...unnarrowed,
      replaceSession: undefined,
      failure: expect.objectContaining({ code: "wrong_credentials" }),
    },
  },
  {
    when: "another session is in the way and may be replaced",
    settings: { sessionReplacement: true },
    path: ready,
    login: [...submitted, "the bank counts too many sessions"],
    step: "failed",
    isBusy: false,
    verbs: ["cancel", "cancelLink", "changeProvider", "replaceSession", "submit"],
    shows: { bank, form, ...unnarrowed, failure: expect.objectContaining({ code: "max_sessions_reached" }) },
  },
  {
    when: "the other session is being closed",
    settings: { sessionReplacement: true },
    path: ready,
    login: [...submitted, "the bank counts too many sessions", "the other session is replaced"],
    step: "replacingSession",
    isBusy: true,
    verbs: ["cancel", "cancelLink", "changeProvider"],
    shows: { bank, sent: { form, question: undefined } },
  },
  {
    when: "the login within has ended already",
    path: ready,
    login: [...submitted, "the bank starts a session"],
    step: "loadingDestinations",
    isBusy: true,
    verbs: ["cancelLink"],
    shows: { bank },
  },
  {
    when: "the session has started",
    path: [...ready, "the login succeeds"],
    step: "loadingDestinations",
    isBusy: true,
    verbs: ["cancelLink"],
    shows: { bank },
  },
  {
    when: "there is no list of banks",
    path: ["the list of banks is refused"],
    step: "linkFailed",
    isBusy: false,
    verbs: ["cancelLink", "retry"],
    shows: {
      bank: undefined,
      changeProvider: undefined,
      failure: expect.objectContaining({ code: "missing_api_key", recovery: "report" }),
    },
  },
  {
    when: "the bank is not known",
    path: [...chosen, "the bank is not known"],
    step: "linkFailed",
    isBusy: false,
    verbs: ["cancelLink", "changeProvider", "retry"],
    shows: {
      bank: listed,
      failure: {
        code: "provider_doesnt_exist",
        text: "This bank is not known to the service.",
        recovery: "changeProvider",
        retryAfter: undefined,
      },
    },
  },
  {
    when: "the destinations can't be listed",
    path: [...ready, "the login succeeds", "the list of destinations breaks"],
    step: "linkFailed",
    isBusy: false,
    verbs: ["cancelLink", "changeProvider", "retry"],
    shows: { bank, failure: expect.objectContaining({ code: "network_failed", recovery: "retry" }) },
  },
  {
    when: "the session has ended",
    path: [...ready, "the login succeeds", "the session has ended", "the login is ready"],
    step: "failed",
    isBusy: false,
    verbs: ["cancel", "cancelLink", "changeProvider", "submit"],
    shows: {
      bank,
      form,
      ...unnarrowed,
      replaceSession: undefined,
      failure: {
        code: "invalid_key",
        text: "Your session at Test Bank has ended. Log in again.",
        recovery: "retry",
        retryAfter: undefined,
      },
    },
  },
  {
    when: "the person goes on after the end of the session",
    path: [...ready, "the login succeeds", "the session has ended", "the login is ready", "the login is cancelled"],
    step: "enteringCredentials",
    isBusy: false,
    verbs: ["cancelLink", "changeProvider", "submit"],
    shows: { bank, form, ...unnarrowed },
  },
  {
    when: "the destinations are listed",
    path: [...ready, "the login succeeds", "the destinations are listed"],
    step: "linked",
    isBusy: false,
    verbs: [],
    shows: { bank, provider: "test", key: expectedSecret("key-of-the-session"), destinations },
  },
  {
    when: "the flow is cancelled",
    path: ["the link is cancelled"],
    step: "cancelled",
    isBusy: false,
    verbs: [],
    shows: {},
  },
];

const draw = (
  { settings = {}, path, login }: Pick<Screen, "settings" | "path" | "login">,
  options?: LinkViewOptions,
) => {
  const before = linkAfter(settings, ...path);
  return drawn(login ? linkWith(before, showLogin(loginAfter(settings, ...login))) : before, options);
};

const drawn = (snapshot: LinkSnapshot, options?: LinkViewOptions) => {
  const { sent, send } = outbox<LinkEvent>();
  frozen(snapshot);
  return { view: linkView(snapshot, send, options), again: linkView(snapshot, send, options), sent };
};

const on = <Step extends LinkView["step"]>(step: Step, drawing: { view: LinkView; sent: LinkEvent[] }) => {
  const { view, sent } = drawing;
  if (view.step !== step) throw new Error(`It is ${view.step}, not ${step}.`);
  return { view: view as Extract<LinkView, { step: Step }>, sent };
};

describe.each(screens)("when $when", (screen) => {
  test(`the step is ${screen.step}, and shows what there is to show`, () => {
    const { view } = draw(screen);
    const { step, busy, ...rest } = toData(view) as Record<string, unknown>;
    expect({ step, busy }).toEqual({ step: screen.step, busy: screen.isBusy });
    const shown = Object.entries(rest).filter(([name]) => !screen.verbs.includes(name));
    expect(Object.fromEntries(shown)).toEqual(screen.shows);
  });

  test(`what can be done is ${screen.verbs.join(", ") || "nothing"}`, () => {
    expect(listVerbs(draw(screen).view)).toEqual(screen.verbs);
  });

  test("the view is the same each time, and sends nothing by itself", () => {
    const { view, again, sent } = draw(screen);
    expect(toData(again)).toEqual(toData(view));
    expect(sent).toEqual([]);
  });
});

// Every verb that is no more than its event.
const plainVerbs = {
  cancelLink: { type: "link.cancel" },
  changeProvider: { type: "provider.change" },
  retry: { type: "link.retry" },
  cancel: { type: "login.cancel" },
  replaceSession: { type: "session.replace" },
} as const;

const pairs = screens.flatMap((screen) =>
  Object.entries(plainVerbs)
    .filter(([verb]) => screen.verbs.includes(verb))
    .map(([verb, event]) => ({ ...screen, verb, event })),
);

test.each(pairs)("$verb when $when sends one event", ({ verb, event, ...screen }) => {
  const { view, sent } = draw(screen);
  (view as unknown as Record<string, () => void>)[verb]?.();
  expect(sent).toEqual([event]);
});

test("every step is on a screen", () => {
  const steps: LinkView["step"][] = [
    "loadingProviders",
    "choosingProvider",
    "loadingFields",
    "enteringCredentials",
    "submitting",
    "answering",
    "listingClients",
    "choosingClient",
    "selectingClient",
    "clientRequired",
    "replacingSession",
    "failed",
    "loadingDestinations",
    "linkFailed",
    "linked",
    "cancelled",
  ];
  expect([...new Set(screens.map(({ step }) => step))].sort()).toEqual(steps.sort());
});

describe("the choice of a bank", () => {
  test("sends one event", () => {
    const { view, sent } = on("choosingProvider", draw({ path: ["the banks are listed"] }));
    view.choose("other");
    expect(sent).toEqual([{ type: "provider.choose", provider: "other" }]);
  });

  test("can be searched, and sends nothing", () => {
    const { view, sent } = on("choosingProvider", draw({ path: ["the banks are listed"] }));
    expect(view.search({ text: "OTHER" })).toEqual([{ code: "other", country: "MX", name: "Other Bank" }]);
    expect(view.search({ country: "UY" })).toEqual([{ code: "test", country: "UY", name: "Test Bank" }]);
    expect(sent).toEqual([]);
  });
});

describe("the login within", () => {
  test("takes its form with one event to the chosen bank, without a value in the clear", () => {
    const { view, sent } = on("enteringCredentials", draw({ path: ready }));
    view.submit({ username: "ana-of-nobody", password: "word-of-nobody", country_code: "VE", type: "pp" });
    expect(opened(sent)).toEqual([
      {
        type: "credentials.submit",
        credentials: {
          provider: "test",
          fields: {
            username: { secret: "ana-of-nobody" },
            password: { secret: "word-of-nobody" },
            country_code: { secret: "VE" },
            type: { secret: "pp" },
          },
        },
      },
    ]);
    expect(JSON.stringify(sent)).not.toMatch(/of-nobody|VE|pp/);
  });

  test("refuses a form without a choice that the bank needs", () => {
    const { view, sent } = on("enteringCredentials", draw({ path: ready }));
    expect(() => view.submit({ username: "ana", password: "word", type: "pp" })).toThrow("country_code");
    expect(sent).toEqual([]);
  });

  test("takes an answer with one event, without the answer in the clear", () => {
    const { view, sent } = on("answering", draw({ path: ready, login: [...submitted, "the bank asks a question"] }));
    view.answer("8888-of-nobody");
    expect(opened(sent)).toEqual([{ type: "interaction.answer", answer: { secret: "8888-of-nobody" } }]);
    expect(JSON.stringify(sent)).not.toContain("of-nobody");
  });

  test("takes the choice of a client with one event", () => {
    const login = [...submitted, "the bank wants a client selected", "the clients are listed"] as const;
    const { view, sent } = on("choosingClient", draw({ settings: { clientSelection: true }, path: ready, login }));
    view.choose("1");
    expect(sent).toEqual([{ type: "client.choose", client: "1" }]);
  });
});

describe("a choice that others depend on", () => {
  const listChoices = (drawing: { view: LinkView; sent: LinkEvent[] }) =>
    on("enteringCredentials", drawing)
      .view.form.fields.find(({ name }) => name === "type")
      ?.choices.map(({ value }) => value);
  const narrowed = [...ready, "a choice is made", "the choices are narrowed"] as const;

  test("is asked about with one event", () => {
    const { view, sent } = on("enteringCredentials", draw({ settings: dependent, path: ready }));
    view.narrow?.("country_code", "VE");
    expect(sent).toEqual([{ type: "choices.narrow", field: "country_code", value: "VE" }]);
  });

  test.each<[when: string, path: readonly LinkCaseName[], left: string[]]>([
    ["before", ready, ["cc", "ci", "pp"]],
    ["while the bank is asked", [...ready, "a choice is made"], ["cc", "ci", "pp"]],
    ["when the bank has told", narrowed, ["cc", "pp"]],
    ["while the bank is asked anew", [...narrowed, "a choice is made"], ["cc", "ci", "pp"]],
    [
      "when the bank refuses after that",
      [...narrowed, "a choice is made", "the narrowing is refused"],
      ["cc", "ci", "pp"],
    ],
    ["when it breaks after that", [...narrowed, "a choice is made", "the narrowing breaks"], ["cc", "ci", "pp"]],
  ])("offers, %s, what is left", (_, path, left) => {
    expect(listChoices(draw({ settings: dependent, path }))).toEqual(left);
  });

  test("can be asked about after a login that failed as well", () => {
    const login = [...submitted, "the bank refuses the credentials"] as const;
    const { view, sent } = on("failed", draw({ settings: dependent, path: ready, login }));
    view.narrow?.("type", "corp");
    expect(sent).toEqual([{ type: "choices.narrow", field: "type", value: "corp" }]);
  });
});

describe("the bank that is shown", () => {
  const showBank = (members: object, entry: object = {}) => {
    const list = [{ code: "test", country: "UY", name: "Name in the list", ...entry }];
    const events = [
      { type: "xstate.done.actor.listProviders", output: { status: "success", providers: list } },
      { type: "provider.choose", provider: "test" },
      {
        type: "xstate.done.actor.getProvider",
        output: { status: "success", detail: { ...detail, name: "Name of the detail", ...members } },
      },
      showLogin(loginAfter({})),
    ];
    const snapshot = events.reduce<LinkSnapshot>(linkWith, linkAfter({}));
    return on("enteringCredentials", drawn(snapshot)).view.bank;
  };

  test.each([
    [
      "as its detail says",
      {},
      {},
      { name: "Name of the detail", country: "UY", logo: "https://bank.example/logo.png" },
    ],
    ["without a logo that it does not have", { logo: undefined }, {}, { logo: undefined }],
    ["without a logo that is null", { logo: null }, {}, { logo: undefined }],
    ["with the country of the list where the detail has none", { country: "" }, {}, { country: "UY" }],
    ["without a country that nobody tells", { country: "" }, { country: "" }, { country: "" }],
    ["with the name of the list where the detail has none", { name: undefined }, {}, { name: "Name in the list" }],
    ["by its code where nobody names it", { name: undefined }, { code: "other" }, { code: "test", name: "test" }],
  ])("is shown %s", (_, members, entry, expected) => {
    expect(showBank(members, entry)).toMatchObject(expected);
  });
});

test.each<[Locale, string, string]>([
  ["en", "Country", "This bank is not known to the service."],
  ["es", "País", "El servicio no conoce este banco."],
  ["pt", "País", "O serviço não conhece este banco."],
])("in %s, labels and failures are in the person's language", (locale, label, text) => {
  const { view } = on("enteringCredentials", draw({ path: ready }, { locale }));
  expect(view.form.fields.find(({ name }) => name === "country_code")?.label).toBe(label);
  const failed = on("linkFailed", draw({ path: [...chosen, "the bank is not known"] }, { locale }));
  expect(failed.view.failure.text).toBe(text);
});

describe("a user name that is known", () => {
  const ended = [...ready, "the login is under way", "the login succeeds", "the session has ended"] as const;
  const again = [...ended, "the login is ready"] as const;
  const typed = typedForm.username;

  test.each<[when: string, path: readonly LinkCaseName[], options: LinkViewOptions, prefill: string | undefined]>([
    ["is the page's at a first login", ready, { username: "of the page" }, "of the page"],
    ["is that of the login before, where the session has ended", again, { username: "of the page" }, typed],
    ["stays while the person goes on", [...again, "the login is cancelled"], {}, typed],
    ["is forgotten with the bank", [...again, "another bank is wanted", ...ready.slice(1)], {}, undefined],
    ["is nobody's where none is known", ready, {}, undefined],
  ])("%s", (_, path, options, prefill) => {
    const { view } = draw({ path }, options);
    if (!("form" in view)) throw new Error(`${view.step} has no form.`);
    const field = view.form.fields.find(({ name }) => name === "username");
    expect(field?.prefill && reveal(field.prefill)).toBe(prefill);
    expect(JSON.stringify(toData(view))).not.toMatch(/of-nobody|of the page/);
  });

  test("stands in the form that is under way as well", () => {
    const { view } = on("submitting", draw({ path: ready, login: submitted }));
    const field = view.sent.form.fields.find(({ name }) => name === "username");
    expect(field?.prefill && reveal(field.prefill)).toBe(typed);
  });

  test.each<[Locale, string]>([
    ["es", "Tu sesión en Test Bank terminó. Vuelve a ingresar."],
    ["pt", "Sua sessão em Test Bank terminou. Entre novamente."],
  ])("in %s the person is told that the session has ended", (locale, text) => {
    expect(on("failed", draw({ path: again }, { locale })).view.failure.text).toBe(text);
  });
});
