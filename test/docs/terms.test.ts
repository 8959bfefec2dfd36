import { readFile } from "node:fs/promises";
import type { LoginOutcome, LoginState, LoginView } from "ventanilla";
import type { HostedStatus } from "ventanilla/hosted";
import type { LifecycleEvent } from "ventanilla/telemetry";
import { expect, test } from "vitest";
import { stateNames } from "../../src/core/login/login-state.ts";
import type { CommandResult } from "../../src/programs/cli/exit-codes.ts";
import type { DurableState } from "../../src/servers/restate/durable-state.ts";

type State = LoginState["state"] | LoginOutcome["state"] | LoginView["state"] | DurableState["state"];

/** Who says a state, and what the others say there. */
interface Words<Name extends State = State> {
  readonly script: Name extends LoginOutcome["state"] ? true : false;
  readonly screen: Name extends LoginView["state"] ? true : false;
  readonly durable: Name extends DurableState["state"] ? true : false;
  /** The events that lead there. */
  readonly telemetry: readonly LifecycleEvent["type"][];
  readonly hosted: readonly HostedStatus[];
}

// By hand. The types know each word and who says it: a change of one does not compile here.
const states = {
  idle: { script: false, screen: true, durable: false, telemetry: [], hosted: ["created", "opened"] },
  submitting: {
    script: false,
    screen: true,
    durable: true,
    telemetry: ["login.started", "interaction.answered", "client.chosen"],
    hosted: ["opened", "awaiting_interaction"],
  },
  awaitingInteraction: {
    script: true,
    screen: true,
    durable: true,
    telemetry: ["interaction.required"],
    hosted: ["awaiting_interaction"],
  },
  selectClient: {
    script: true,
    screen: true,
    durable: true,
    telemetry: ["client.required"],
    hosted: ["awaiting_interaction"],
  },
  failed: {
    script: true,
    screen: true,
    durable: true,
    telemetry: ["login.failed"],
    hosted: ["opened", "failed", "expired"],
  },
  loggedIn: { script: true, screen: true, durable: true, telemetry: ["login.finished"], hosted: ["logged_in"] },
  cancelled: { script: true, screen: false, durable: true, telemetry: ["login.cancelled"], hosted: ["cancelled"] },
} as const satisfies { readonly [Name in State]: Words<Name> };

type Rows = (typeof states)[State];
type Missing<Name extends "telemetry" | "hosted", All> = Exclude<All, Rows[Name][number]>;

// This compiles only if each word has its row.
true satisfies [Missing<"telemetry", LifecycleEvent["type"]>, Missing<"hosted", HostedStatus>] extends readonly never[]
  ? true
  : false;

/** The word of a command's JSON, for a login that has ended or waits. A failure has its code beside it. */
const toCommandWord = (state: State, { script }: Words): string => {
  if (!script) return "";
  const word: CommandResult | "failed" = stateNames[state as LoginOutcome["state"]];
  return `\`${word}\`${state === "failed" ? " and its `code`" : ""}`;
};

const who = { script: "script", screen: "screen", durable: "durable login" } as const;

const BEGIN = "<!-- states: written by test/docs/terms.test.ts -->\n\n";
const END = "\n\n<!-- end of the states -->";

test("docs/terms.md has where a login is, by the words of each part", async () => {
  const quote = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(", ");
  const rows = Object.entries(states).map(([state, words]: [string, Words]) => {
    const said = Object.entries(who).flatMap(([name, label]) => (words[name as keyof typeof who] ? [label] : []));
    const command = toCommandWord(state as State, words);
    return `| \`${state}\` | ${said.join(", ")} | ${quote(words.telemetry)} | ${command} | ${quote(words.hosted)} |`;
  });
  const table = [
    "| `state` | who says it | telemetry: `type` of the events that lead there | JSON of `login` and `batch`: `state` | hosted session, `serve`, `mcp`: `status` |",
    `|${"---|".repeat(5)}`,
    ...rows,
  ];
  const file = new URL("../../docs/terms.md", import.meta.url);
  const page = await readFile(file, "utf8");
  const [before = "", rest = ""] = page.split(BEGIN);
  const [, after = ""] = rest.split(END);
  await expect([before, BEGIN, table.join("\n"), END, after].join("")).toMatchFileSnapshot(file.pathname);
});
