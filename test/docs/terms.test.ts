import { readFile } from "node:fs/promises";
import type { LoginOutcome, LoginView } from "ventanilla";
import type { HostedStatus } from "ventanilla/hosted";
import type { DurableState } from "ventanilla/restate";
import type { LifecycleEvent } from "ventanilla/telemetry";
import { expect, test } from "vitest";
import type { LoginState } from "../../src/core/login/login-state.ts";
import type { CommandStatus } from "../../src/programs/cli/exit-codes.ts";

/** What each part says where such a login is; `undefined` if it says nothing. */
interface Words {
  readonly outcome: LoginOutcome["status"] | undefined;
  readonly view: LoginView["step"] | undefined;
  readonly durable: DurableState["state"] | undefined;
  readonly telemetry: LifecycleEvent["type"] | undefined;
  /** `code`: the code of the failure. */
  readonly command: CommandStatus | "code" | undefined;
  readonly hosted: HostedStatus | readonly HostedStatus[] | undefined;
}

const heads = {
  outcome: "`outcome.status`",
  view: "`view.step`, test kit",
  durable: "durable login: `state`",
  telemetry: "telemetry: `type` of the event that leads there",
  command: "JSON of `login` and `batch`: `status`",
  hosted: "hosted session, `serve`, `mcp`: `status`",
} as const satisfies Record<keyof Words, string>;

// By hand. The types know each word: one that is renamed does not compile here.
const states = {
  idle: {
    outcome: undefined,
    view: "enteringCredentials",
    durable: undefined,
    telemetry: undefined,
    command: undefined,
    hosted: ["created", "opened"],
  },
  submitting: {
    outcome: undefined,
    view: "submitting",
    durable: "submitting",
    telemetry: "login.started",
    command: undefined,
    hosted: "opened",
  },
  awaitingInteraction: {
    outcome: "interaction_required",
    view: "answering",
    durable: "awaitingInteraction",
    telemetry: "interaction.required",
    command: "interaction_required",
    hosted: "asking",
  },
  "selectClient.resting": {
    outcome: "failed",
    view: "clientRequired",
    durable: "selectClient.resting",
    telemetry: "login.failed",
    command: "select_client",
    hosted: "asking",
  },
  "selectClient.listing": {
    outcome: undefined,
    view: "listingClients",
    durable: "selectClient.listing",
    telemetry: undefined,
    command: undefined,
    hosted: "asking",
  },
  "selectClient.choosing": {
    outcome: "select_client",
    view: "choosingClient",
    durable: "selectClient.choosing",
    telemetry: "client.required",
    command: "select_client",
    hosted: "asking",
  },
  "selectClient.selecting": {
    outcome: undefined,
    view: "selectingClient",
    durable: "selectClient.selecting",
    telemetry: "client.chosen",
    command: undefined,
    hosted: "asking",
  },
  replacingSession: {
    outcome: undefined,
    view: "replacingSession",
    durable: "replacingSession",
    telemetry: "login.started",
    command: undefined,
    hosted: "opened",
  },
  failed: {
    outcome: "failed",
    view: "failed",
    durable: "failed",
    telemetry: "login.failed",
    command: "code",
    hosted: ["opened", "failed"],
  },
  loggedIn: {
    outcome: "logged_in",
    view: "loggedIn",
    durable: "loggedIn",
    telemetry: "login.finished",
    command: "logged_in",
    hosted: "logged_in",
  },
} as const satisfies Record<LoginState, Words>;

// What is no state of the chart: after a cancel it is `idle`, and an interaction that nobody answers in time ends in `failed`.
const ends = {
  cancelled: {
    outcome: "cancelled",
    view: "enteringCredentials",
    durable: "cancelled",
    telemetry: "login.cancelled",
    command: "cancelled",
    hosted: "cancelled",
  },
  expired: {
    outcome: "failed",
    view: "failed",
    durable: "failed",
    telemetry: "login.failed",
    command: "code",
    hosted: "expired",
  },
} as const satisfies Record<string, Words>;

type Rows = typeof states & typeof ends;
type Flat<Value> = Value extends readonly (infer Item)[] ? Item : Value;
type Missing<Name extends keyof Words, All> = Exclude<All, Flat<Rows[keyof Rows][Name]>>;

// This compiles only if each word has its row.
true satisfies [
  Missing<"outcome", LoginOutcome["status"]>,
  Missing<"view", LoginView["step"]>,
  Missing<"durable", DurableState["state"]>,
  Missing<"hosted", HostedStatus>,
] extends readonly never[]
  ? true
  : false;

const BEGIN = "<!-- states: written by test/docs/terms.test.ts -->\n\n";
const END = "\n\n<!-- end of the states -->";

test("docs/terms.md has where a login is, by the words of each part", async () => {
  const names = Object.keys(heads) as (keyof Words)[];
  const toCell = (words: Words[keyof Words]) =>
    [words ?? []]
      .flat()
      .map((word) => (word === "code" ? "the code of the failure" : `\`${word}\``))
      .join(", ");
  const rows = Object.entries({ ...states, ...ends }).map(
    ([state, words]: [string, Words]) =>
      `| ${state in ends ? state : `\`${state}\``} | ${names.map((name) => toCell(words[name])).join(" | ")} |`,
  );
  const table = [
    `| state | ${names.map((name) => heads[name]).join(" | ")} |`,
    `|${"---|".repeat(names.length + 1)}`,
    ...rows,
  ];
  const file = new URL("../../docs/terms.md", import.meta.url);
  const page = await readFile(file, "utf8");
  const [before = "", rest = ""] = page.split(BEGIN);
  const [, after = ""] = rest.split(END);
  await expect([before, BEGIN, table.join("\n"), END, after].join("")).toMatchFileSnapshot(file.pathname);
});
