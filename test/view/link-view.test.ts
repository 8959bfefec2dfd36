import {
  type LinkSettings,
  type LinkView,
  type LinkViewOptions,
  type Locale,
  type LoginView,
  linkView,
  reveal,
} from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { describe, expect, test } from "vitest";
import { expectedSecret } from "../bank/service.ts";
import { destinations, type LinkCaseName, providers } from "../model/link-cases.ts";
import { type LoginCaseName, form as typedForm } from "../model/login-cases.ts";
import { loginScreens } from "./login-screens.ts";
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
  useVerb,
  verbEvents,
  withoutVerbs,
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
/** The bank of a login within, as its detail says. */
const detailed = { ...bank, name: detail.name };
const form = expect.objectContaining({ fields: expect.any(Array) });
const unnarrowed = { narrowing: false, narrow: undefined, narrowingFailure: undefined };
const submitted = ["credentials are submitted"] as const;

// What the login within shows, it shows within a link, with the bank and the ways out beside it.
const within: readonly Screen[] = loginScreens
  .filter(({ step }) => step !== "loggedIn")
  .map(({ path, verbs, shows, ...screen }) => ({
    ...screen,
    step: screen.step as Exclude<LoginView["step"], "loggedIn">,
    path: chosen,
    login: path,
    verbs: [...verbs, "cancelLink", "changeProvider"].sort(),
    shows: { ...shows, bank: detailed, ...("form" in shows && unnarrowed) },
  }));

// By hand, from the contract, section 1, and its appendix.
const screens: readonly Screen[] = [
  ...within,
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
        text: "A part of the request is missing.",
        recovery: "correct",
        retryAfter: undefined,
      },
    },
  },
  {
    when: "the login within has ended already",
    path: chosen,
    login: [...submitted, "the bank starts a session"],
    step: "loadingDestinations",
    isBusy: true,
    verbs: ["cancelLink"],
    shows: { bank: detailed },
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
  if (!login) return drawn(linkAfter(settings, ...path), options);
  const read = { type: "xstate.done.actor.getProvider", output: { status: "success", detail } };
  return drawn(
    linkWith(linkWith(linkAfter(settings, ...path), read), showLogin(loginAfter(settings, ...login))),
    options,
  );
};

const drawn = (snapshot: LinkSnapshot, options?: LinkViewOptions) => {
  const { sent, steps, send } = outbox<LinkEvent>();
  frozen(snapshot);
  return { view: linkView(snapshot, send, options), again: linkView(snapshot, send, options), sent, steps, snapshot };
};

const on = <Step extends LinkView["step"]>(step: Step, drawing: { view: LinkView; sent: LinkEvent[] }) => {
  const { view, sent } = drawing;
  if (view.step !== step) throw new Error(`It is ${view.step}, not ${step}.`);
  return { view: view as Extract<LinkView, { step: Step }>, sent };
};

test.each(screens)("when $when, the step is $step, with what there is to show and to do", (screen) => {
  const { view, again, sent } = draw(screen);
  expect(listVerbs(view)).toEqual(screen.verbs);
  expect(withoutVerbs(view, screen.verbs)).toEqual({ step: screen.step, busy: screen.isBusy, ...screen.shows });
  // Pure: the same each time, and nothing is sent by itself.
  expect(toData(again)).toEqual(toData(view));
  expect(sent).toEqual([]);
});

const pairs = screens.flatMap((screen) =>
  screen.verbs.filter((verb) => verb !== "search").map((verb) => ({ ...screen, verb })),
);

test.each(pairs)("$verb when $when sends one event, for that step alone", ({ verb, ...screen }) => {
  const { view, sent, steps, snapshot } = draw(screen);
  useVerb(view, verb);
  const type = view.step === "choosingProvider" && verb === "choose" ? "provider.choose" : verbEvents[verb];
  expect(sent).toMatchObject([{ type }]);
  expect(steps).toEqual([snapshot.context.stepNumber]);
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

test("the login within takes its form with one event to the chosen bank, without a value in the clear", () => {
  const { view, sent } = on("enteringCredentials", draw({ path: ready }));
  view.submit({ username: "ana-of-nobody", password: "word-of-nobody", country_code: "VE", type: "pp" });
  expect(opened(sent)).toMatchObject([{ type: "credentials.submit", credentials: { provider: "test" } }]);
  expect(JSON.stringify(sent)).not.toMatch(/of-nobody|VE|pp/);
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
    const { view, sent } = on("failed", draw({ settings: dependent, path: chosen, login }));
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
    const { view } = on("submitting", draw({ path: chosen, login: submitted }));
    const field = view.sent.form.fields.find(({ name }) => name === "username");
    expect(field?.prefill && reveal(field.prefill)).toBe(typed);
  });

  test.each<[Locale, string]>([
    ["es", "Su sesión en Test Bank terminó. Vuelva a ingresar."],
    ["pt", "Sua sessão em Test Bank terminou. Entre novamente."],
  ])("in %s the person is told that the session has ended", (locale, text) => {
    expect(on("failed", draw({ path: again }, { locale })).view.failure.text).toBe(text);
  });
});
