import { BankError, type ClientEntry, type InteractionPrompt, login, secret } from "ventanilla";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  asks,
  cancelled,
  expectedId,
  expectedSecret,
  failed,
  type Line,
  type LoginCase,
  loggedIn,
  person,
  selectClient,
  startSandbox,
} from "../../bank/service.ts";
import { formatState } from "./format-state.ts";
import { logIn } from "./started.ts";

const clients = { json: { status: "success", clients: { 0: "First Client", "FIC-7": "Second Client" } } };
const chosen = (key?: string) => ({ json: { status: "success", key } });
const says = (status: string): Line => ({ json: { status } });
const blocked: Line = { http: 403, json: { status: "user_blocked" } };
const tooMany: Line = { http: 403, json: { status: "max_sessions_reached", key: "other" } };
const isBlocked = failed("user_blocked", { httpStatus: 403 });
const isUnexpected = failed("unexpected_status", { httpStatus: 200 });
const withStatus = (wireStatus: string) => failed("unexpected_status", { httpStatus: 200, wireStatus });
const session = { state: "loggedIn", loggedInAt: expect.any(Number) };
const question = [asks("otp", "key-1"), loggedIn("key-2")];

const choosing = { onSelectClient: () => "0" };
const answering = (answer: unknown): LoginCase => ({ onInteraction: () => answer as string });

// How refusals are read: test/core/api/refusals.test.ts.
test.each<[what: string, options: LoginCase, script: readonly Line[], outcome: object, sent: number]>([
  ["that is refused", {}, [blocked], isBlocked, 1],
  [
    "that is refused with HTTP 200",
    {},
    [says("wrong_credentials")],
    failed("wrong_credentials", { httpStatus: 200 }),
    1,
  ],
  [
    "that is refused by a code",
    {},
    [{ http: 403, json: { status: "error", code: "B1002", type: "t", message: "m", description: ["d"] } }],
    failed("wrong_answer", { httpStatus: 403 }),
    1,
  ],
  ["with an unknown status", {}, [says("under_review")], withStatus("under_review"), 1],
  ["with an unknown code as status", {}, [says("B2001:x.y-z")], withStatus("B2001:x.y-z"), 1],
  ["with a status of 64 characters", {}, [says("x".repeat(64))], withStatus("x".repeat(64)), 1],
  ["with a status of 65 characters", {}, [says("x".repeat(65))], isUnexpected, 1],
  ["with an empty status", {}, [says("")], isUnexpected, 1],
  ["with a status of two words", {}, [says("two words")], isUnexpected, 1],
  ["with a status of markup", {}, [says("<b>no</b>")], isUnexpected, 1],
  ["with a status of two lines", {}, [says("line\nbreak")], isUnexpected, 1],
  ["whose password is in the status", { password: "hunter2" }, [says("bad-hunter2")], isUnexpected, 1],
  ["whose answer is a text", answering("8888"), question, { ...session, key: expectedSecret("key-2") }, 2],
  ["with the answer null", answering(null), question, cancelled, 1],
  ["with a promise of null", answering(Promise.resolve(null)), question, cancelled, 1],
  ["with null in place of a client", { onSelectClient: () => null }, [selectClient("key-1"), clients], cancelled, 2],
  [
    "with a client chosen by its entry",
    { onSelectClient: ([first]) => first ?? null },
    [selectClient("key-1"), clients, chosen("key-2")],
    { ...session, key: expectedSecret("key-2") },
    3,
  ],
  [
    "with more than ten interactions",
    answering("8888"),
    Array.from({ length: 11 }, (_, number) => asks(`otp-${number % 2}`, "key-1")),
    failed("too_many_interactions"),
    11,
  ],
  [
    "without a selection",
    {},
    [selectClient("key-1")],
    { ...failed("client_selection_off"), key: expectedSecret("key-1") },
    1,
  ],
  [
    "with a new key of the choice",
    choosing,
    [selectClient("key-1"), clients, chosen("key-2")],
    { ...session, key: expectedSecret("key-2") },
    3,
  ],
  ["whose list is refused", choosing, [selectClient("key-1"), blocked], isBlocked, 2],
  ["whose choice is refused", choosing, [selectClient("key-1"), clients, blocked], isBlocked, 3],
  [
    "beside a session of the same user",
    {},
    [tooMany],
    { ...failed("max_sessions_reached", { httpStatus: 403 }), key: expectedSecret("other") },
    1,
  ],
  [
    "beside a session that can't be closed",
    { settings: { sessionReplacement: true } },
    [tooMany, blocked],
    isBlocked,
    2,
  ],
])("the outcome of a login %s", async (_, options, script, expected, sent) => {
  const { service, outcome } = await logIn(script, options);
  expect(await outcome).toStrictEqual({ id: expectedId, provider: "test", ...expected });
  expect(service.requests).toHaveLength(sent);
});

const odd = { json: { status: "success", clients: { "..": "Dots" } } };
const choosingDots: LoginCase = { onSelectClient: () => ".." };

test.each<[field: string, options: LoginCase, script?: readonly Line[]]>([
  ["password", { password: "" }],
  ["type", { fields: { type: "\udc00" } }],
  ["username", { username: "", signal: AbortSignal.abort() }],
  ["interactionLimit", { settings: { interactionLimit: Number.NaN } }],
  ["interactionLimit", { settings: { interactionLimit: -1 } }],
  ["interactionLimit", { settings: { interactionLimit: 1.5 } }],
  ["answerTimeout", { settings: { answerTimeout: Number.NaN } }],
  ["answerTimeout", { settings: { answerTimeout: -1 } }],
  ["deadline", { settings: { deadline: Number.NaN } }],
  ["validate", { settings: { validate: "yes" as never } }],
  ["clientSelection", { settings: { clientSelection: 1 as never } }],
  ["sessionReplacement", { settings: { sessionReplacement: "false" as never } }],
  ["sessionReplacement", { settings: { sessionReplacement: null as never } }],
  ["otp", answering("half a pair \ud800"), [asks("otp", "key-1")]],
  ["client", choosingDots, [selectClient("key-1"), odd]],
  ["client", { onSelectClient: () => 7 as never }, [selectClient("key-1"), clients]],
  // A duration, where a time is meant.
  ["deadline", { settings: { deadline: 60_000 } }],
  ["deadline", { settings: { deadline: new Date(Number.NaN) } }],
])("login rejects naming $0, and sends no more: $1", async (field, options, script = []) => {
  const { service, outcome } = await logIn([...script, loggedIn("key-2")], options);
  const error = await outcome.catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(BankError);
  expect(error).toMatchObject({ code: "invalid_input", field });
  expect(service.requests).toHaveLength(script.length);
});

const provider = { json: { status: "success", provider: { name: "Test", auth_fields: [] } } };
test.each<[what: string, options: LoginCase, script: readonly Line[], states: string[]]>([
  [
    "a login with validate",
    { settings: { validate: true } },
    [provider, loggedIn("key-1")],
    ["idle", "checkFields", "submitCredentials", "loggedIn"],
  ],
  [
    "a choice of client after an interaction",
    { ...answering("8888"), ...choosing },
    [asks("otp", "key-1"), selectClient("key-2"), clients, chosen()],
    [
      "idle",
      "submitCredentials",
      "awaitingInteraction",
      "submitAnswer",
      "listClients",
      "selectClient",
      "selectClient",
      "loggedIn",
    ],
  ],
  [
    "a session replaced",
    { settings: { sessionReplacement: true } },
    [tooMany, says("logged_out"), loggedIn("key-1")],
    ["idle", "submitCredentials", "failed", "closeSession", "submitCredentials", "loggedIn"],
  ],
])("onTransition gets each state of %s", async (_, options, script, states) => {
  const reached: string[] = [];
  const { service, outcome } = await logIn(script, {
    ...options,
    onTransition: (state) => reached.push(formatState(state)),
  });
  await outcome;
  expect(reached).toEqual(states);
  expect(service.requests).toHaveLength(script.length);
});

describe("onInteraction", () => {
  test("gets kind, field, context, number and the time until when the interaction waits", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const interactions: InteractionPrompt[] = [];
    const onInteraction = (interaction: InteractionPrompt) => {
      interactions.push(interaction);
      vi.setSystemTime(2_000_000);
      return "8888";
    };
    const script = [asks("otp", "key-1", "Enviamos un código"), asks("token", "key-2"), loggedIn()];
    await (await logIn(script, { onInteraction })).outcome;
    const first = { kind: "code", isRepeat: false, answersSent: 0 };
    expect(interactions).toEqual([
      { ...first, field: "otp", fields: ["otp"], context: "Enviamos un código", number: 1, expiresAt: 1_300_000 },
      { ...first, field: "token", fields: ["token"], context: "token required", number: 2, expiresAt: 2_300_000 },
    ]);
  });

  // The sandbox's kinds: test/conformance/3-states.test.ts. Which kind an interaction is: test/core/view/question.test.ts.
  test.each([
    ["captcha", { kind: "picture", picture: { mediaType: "image/png" } }, "7K4MP2"],
    ["channel", { kind: "choices", choices: [{ value: "mobile" }, { value: "mail" }] }, "mobile"],
  ])("gets what the option detail says of the sandbox's %s", async (username, shows, answer) => {
    const client = (await startSandbox()).client();
    const read = await client.getProvider("mirador_gt");
    if (read.status !== "success") expect.fail(read.status);
    const onInteraction = vi.fn(({ number }: InteractionPrompt) => (number === 1 ? answer : "604812"));
    const form = { provider: "mirador_gt", username, password: "s3creto" };
    const outcome = await login(client, form, { detail: read.provider, onInteraction });
    expect(outcome.state).toBe("loggedIn");
    expect(onInteraction.mock.calls[0]?.[0]).toMatchObject(shows);
  });

  test.each([
    ["a promise of a text", async () => "8888"],
    ["a secret", () => secret("8888")],
    ["a promise of a secret", async () => secret("8888")],
  ])("may answer with %s", async (_, onInteraction) => {
    const { service, outcome } = await logIn(question, { onInteraction });
    await outcome;
    expect(service.requests[1]?.form).toEqual({ ...person, otp: "8888" });
  });
});

test("onSelectClient gets the clients and chooses one; the session key stays the same", async () => {
  const shown: (readonly ClientEntry[])[] = [];
  const { service, outcome } = await logIn([selectClient("key-1"), clients, chosen()], {
    onSelectClient: async (choices, { signal }) => {
      expect(signal.aborted).toBe(false);
      shown.push(choices);
      return "FIC-7";
    },
  });
  expect(await outcome).toMatchObject({ state: "loggedIn", key: expectedSecret("key-1") });
  const [first, second] = ["First Client", "Second Client"];
  expect(shown).toEqual([
    [
      { id: "0", name: first },
      { id: "FIC-7", name: second },
    ],
  ]);
  expect(service.lines()).toEqual(["POST /login/", "GET /client/?key=key-1", "GET /client/FIC-7/?key=key-1"]);
});

test.each<[what: string, options: LoginCase, script: readonly Line[]]>([
  ["a login", {}, [loggedIn("key-1")]],
  ["an answer", answering("8888"), question],
  ["the choice of a client", choosing, [selectClient("key-1"), clients, { json: { status: "success" } }]],
])("%s says when its session began: as the response came", async (_, options, script) => {
  const before = Date.now();
  const { outcome } = await logIn(script, options);
  const ended = await outcome;
  if (ended.state !== "loggedIn") expect.fail(ended.state);
  expect(ended.loggedInAt).toBeGreaterThanOrEqual(before);
  expect(ended.loggedInAt).toBeLessThanOrEqual(Date.now());
});
