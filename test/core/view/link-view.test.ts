import { type LinkSettings, type LinkViewOptions, type Locale, linkView, reveal } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { describe, expect, test } from "vitest";
import { expectedSecret } from "../../bank/service.ts";
import { destinations, type LinkCaseName, providers } from "../../machines/link-cases.ts";
import { type LoginCaseName, form as typedForm } from "../../machines/login-cases.ts";
import { loginScreens, refused, submitted } from "./login-screens.ts";
import {
  detail,
  frozen,
  type LinkSnapshot,
  linkAfter,
  linkWith,
  loginAfter,
  on,
  outbox,
  showLogin,
  testScreens,
} from "./screens.ts";

const dependent: LinkSettings = { dependentChoices: true };
const chosen = ["the banks are listed", "a bank is chosen"] as const;
const atLogin = [...chosen, "the bank's fields are read"] as const;
const ready = [...atLogin, "the login is ready"] as const;
const ended = [...ready, "the login succeeds", "the session has ended"] as const;
const atForm = [...ended, "what failed is tried again", "the bank's fields are read", "the login is ready"] as const;

/** What can be done at each step of a link with a list of banks. */
const stateVerbs = {
  loadingProviders: ["cancelLink"],
  choosingProvider: ["cancelLink", "choose", "search"],
  loadingFields: ["cancelLink", "changeProvider"],
  idle: ["cancelLink", "changeProvider", "submit"],
  failed: ["cancel", "cancelLink", "changeProvider", "submit"],
  loadingDestinations: ["cancelLink"],
  linkFailed: ["cancelLink", "changeProvider", "retry"],
  linked: [],
  cancelled: [],
};

type Row = readonly [
  when: string,
  path: readonly LinkCaseName[],
  step: keyof typeof stateVerbs,
  /** Beside the step. */
  shows: object,
  more?: {
    readonly settings?: LinkSettings;
    /** What the login within the link went through. */
    readonly login?: readonly LoginCaseName[];
    /** Where they are others than those of the state. */
    readonly verbs?: readonly string[];
  },
];

const busyStates = ["loadingProviders", "loadingFields", "loadingDestinations"];
const bank = {
  code: "test",
  name: "Test Bank",
  country: "UY",
  logo: "https://bank.example/logo.png",
  accountTypes: [{ name: "pers", label: "Personal" }],
};
/** The bank as the list names it, before its fields are read. */
const listed = { ...bank, logo: undefined, accountTypes: [] };
/** The bank of a login within a link, as its detail says. */
const detailed = { ...bank, name: detail.name, accountTypes: [] };
const form = expect.objectContaining({ fields: expect.any(Array) });
const narrowing = { bank, form, narrowing: true };
const narrowable = { bank, form, narrowing: false };
const failure = (code: string, text: string, recovery: string) => ({ kind: "outcome", code, text, recovery });
const missing = failure(
  "missing_params",
  "Something the bank needs is missing. Fill in every field and try again.",
  "correct",
);
const unknown = failure(
  "provider_doesnt_exist",
  "This bank is not available here. Choose another one.",
  "changeProvider",
);
const over = failure("invalid_key", "Your session has expired. Log in again.", "retry");
const refusal = expect.objectContaining({ code: "wrong_credentials" });
const withNarrow = { settings: dependent, verbs: ["cancelLink", "changeProvider", "narrow", "submit"] };

// By hand, from the contract, section 1, and its appendix.
const rows: readonly Row[] = [
  ["it has begun", [], "loadingProviders", {}],
  ["the banks are listed", ["the banks are listed"], "choosingProvider", { providers, countries: ["MX", "UY"] }],
  ["no banks are listed", ["no banks are listed"], "choosingProvider", { providers: [], countries: [] }],
  ["a bank is chosen", chosen, "loadingFields", { bank: listed, isResuming: false }],
  [
    "the settings name the bank, whose name is not known yet",
    [],
    "loadingFields",
    { bank: undefined, isResuming: false },
    { settings: { provider: "test" }, verbs: ["cancelLink"] },
  ],
  ["the login within has not told of itself yet", atLogin, "idle", narrowable],
  ["choices may be narrowed", ready, "idle", narrowable, withNarrow],
  ["choices are being narrowed", [...ready, "a choice is made"], "idle", narrowing, withNarrow],
  [
    "the narrowing is refused",
    [...ready, "a choice is made", "the narrowing is refused"],
    "idle",
    { ...narrowable, narrowingFailure: missing },
    withNarrow,
  ],
  [
    "choices may be narrowed after a login that failed",
    chosen,
    "failed",
    { ...narrowable, id: expect.any(String), provider: "test", bank: detailed, failure: refusal, fieldErrors: {} },
    { settings: dependent, login: refused, verbs: ["cancel", "cancelLink", "changeProvider", "narrow", "submit"] },
  ],
  [
    "the login within has ended already",
    chosen,
    "loadingDestinations",
    { bank: detailed },
    { login: [...submitted, "the bank starts a session"] },
  ],
  ["the session has started", [...ready, "the login succeeds"], "loadingDestinations", { bank }],
  [
    "there is no list of banks",
    ["the list of banks is refused"],
    "linkFailed",
    { bank: undefined, failure: expect.objectContaining({ code: "api_key_refused", recovery: "report" }) },
    { verbs: ["cancelLink", "retry"] },
  ],
  ["the bank is not known", [...chosen, "the bank is not known"], "linkFailed", { bank: listed, failure: unknown }],
  [
    "the destinations can't be listed",
    [...ready, "the login succeeds", "the list of destinations breaks"],
    "linkFailed",
    { bank, failure: expect.objectContaining({ code: "network_failed", recovery: "retry" }) },
  ],
  ["the session has ended", ended, "linkFailed", { bank, failure: over }],
  ["the person goes on after the end of the session", atForm, "idle", narrowable],
  [
    "the destinations are listed",
    [...ready, "the login succeeds", "the destinations are listed"],
    "linked",
    { id: "login-1", bank, provider: "test", key: expectedSecret("key-of-the-session"), destinations },
  ],
  ["the flow is cancelled", ["the link is cancelled"], "cancelled", {}],
];

const screens = [
  ...rows.map(([when, path, state, shows, { settings = {}, login, verbs = stateVerbs[state] } = {}]) => ({
    ...{ when, path, state, shows, settings, login, verbs },
    isBusy: busyStates.includes(state),
  })),
  // A login shows the same within a link, with the bank and two more verbs.
  ...loginScreens
    .filter(({ state }) => state !== "loggedIn")
    .map(({ path, verbs, shows, ...screen }) => ({
      ...screen,
      path: chosen,
      login: path,
      verbs: [...verbs, "cancelLink", "changeProvider"].sort(),
      shows: { ...shows, bank: detailed, ...("form" in shows && { narrowing: false }) },
    })),
];

interface Flow {
  readonly path: readonly LinkCaseName[];
  readonly settings?: LinkSettings;
  readonly login?: readonly LoginCaseName[] | undefined;
}

function draw({ settings = {}, path, login }: Flow, options?: LinkViewOptions) {
  const read = { type: "xstate.done.actor.getProvider", output: { status: "success", detail } };
  const flow = linkAfter({ destinations: true, ...settings }, ...path);
  return drawSnapshot(
    login ? linkWith(linkWith(flow, read), showLogin(loginAfter(settings, ...login))) : flow,
    options,
  );
}

const drawSnapshot = (snapshot: LinkSnapshot, options?: LinkViewOptions) => {
  const { sent, actor, goOn } = outbox<LinkSnapshot, LinkEvent>(frozen(snapshot));
  const look = () => linkView(snapshot, actor, options);
  return { view: look(), look, sent, goOn };
};

testScreens(screens, draw);

const narrowed = [...ready, "a choice is made", "the choices are narrowed"] as const;
const every = ["cc", "ci", "pp"];

test.each<[when: string, path: readonly LinkCaseName[], left: string[]]>([
  ["before", ready, every],
  ["during the request", [...ready, "a choice is made"], every],
  ["after the response", narrowed, ["cc", "pp"]],
  ["during another request", [...narrowed, "a choice is made"], every],
  ["after a refusal", [...narrowed, "a choice is made", "the narrowing is refused"], every],
  ["after a fault", [...narrowed, "a choice is made", "the narrowing breaks"], every],
])("a dependent choice offers %s what remains", (_, path, left) => {
  const { fields } = on(draw({ settings: dependent, path }).view, "idle").form;
  expect(fields.find(({ name }) => name === "type")?.choices.map(({ value }) => value)).toEqual(left);
});

test.each([
  ["with the members of its detail", {}, {}, { name: "Banco Ejemplo", country: "UY", logo: bank.logo }],
  ["with the state that the service says", { state: "under_maintenance" }, {}, { state: "under_maintenance" }],
  [
    "with the kinds of account that it operates with",
    { account_type: [{ name: "pers", label_en: "Retail" }, { name: "corp" }, { name: "joint_venture" }] },
    {},
    {
      accountTypes: [
        { name: "pers", label: "Retail" },
        { name: "corp", label: "Corporate" },
        { name: "joint_venture", label: "Joint venture" },
      ],
    },
  ],
  ["without a logo if it is null", { logo: null }, {}, { logo: undefined }],
  ["with the country of the list if the detail has none", { country: "" }, {}, { country: "UY" }],
  ["without a country if there is none", { country: "" }, { country: "" }, { country: "" }],
  ["with the name of the list if the detail has none", { name: undefined }, {}, { name: "Name in the list" }],
  ["by its code if it has no name", { name: undefined }, { code: "other" }, { code: "test", name: "test" }],
])("the bank is shown %s", (_, members, entry, expected) => {
  const list = [{ code: "test", country: "UY", name: "Name in the list", ...entry }];
  const read = { status: "success", detail: { ...detail, ...members } };
  const events = [
    { type: "xstate.done.actor.listProviders", output: { status: "success", providers: list } },
    { type: "provider.choose", provider: "test" },
    { type: "xstate.done.actor.getProvider", output: read },
    showLogin(loginAfter({})),
  ];
  const { view } = drawSnapshot(events.reduce<LinkSnapshot>(linkWith, linkAfter({})));
  expect(on(view, "idle").bank).toMatchObject(expected);
});

// Labels and other failures: form.test.ts and test/core/api/failures.test.ts.
test.each<[Locale, label: string, text: string]>([
  ["en", "Country", "Your session has expired. Log in again."],
  ["es", "País", "Su sesión expiró. Vuelva a ingresar."],
  ["pt", "País", "Sua sessão expirou. Entre novamente."],
])("in %s, a form and the end of a session are in the person's language", (locale, label, text) => {
  const { form } = on(draw({ path: ready }, { locale }).view, "idle");
  const { failure } = on(draw({ path: ended }, { locale }).view, "linkFailed");
  expect(form.fields.find(({ name }) => name === "country_code")?.label).toBe(label);
  expect(failure.text).toBe(text);
});

describe("a user name that is known", () => {
  const again = [...atLogin, "the login is ready", "the login is under way", ...atForm.slice(4)] as const;
  const typed = typedForm.username;

  test.each<[when: string, flow: Flow, options: LinkViewOptions, prefill: string | undefined]>([
    ["is the page's at a first login", { path: ready }, { username: "of the page" }, "of the page"],
    ["is that of the login before, where the session has ended", { path: again }, { username: "of the page" }, typed],
    ["stands in the form that is under way", { path: chosen, login: submitted }, {}, typed],
    ["is forgotten with the bank", { path: [...again, "another bank is wanted", ...ready.slice(1)] }, {}, undefined],
    ["is nobody's where none is known", { path: ready }, {}, undefined],
  ])("%s", (_, screen, options, prefill) => {
    const { view } = draw(screen, options);
    const form = "sent" in view ? view.sent.form : "form" in view ? view.form : expect.fail(view.state);
    const field = form.fields.find(({ name }) => name === "username");
    expect(field?.prefill && reveal(field.prefill)).toBe(prefill);
    expect(JSON.stringify(view)).not.toMatch(/of-nobody|of the page/);
  });
});
