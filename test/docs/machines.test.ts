import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import type { AnyStateMachine } from "xstate";
import { listStates, listTransitions } from "../../src/tools/trace/transitions.ts";

const cell = (names: readonly (string | undefined)[]) => names.map((name) => (name ? `\`${name}\`` : "")).join(" ");

function chapter(title: string, purpose: string, file: string, machine: AnyStateMachine): string {
  const states = listStates(machine).map(({ path, tags, isFinal }) => {
    const kind = [...tags, isFinal ? "final" : ""].filter(Boolean).join(", ");
    return `| \`${path}\` | ${kind} |`;
  });
  const transitions = listTransitions(machine).map(
    ({ source, event, guard, target, actions }) =>
      `| \`${source}\` | ${event} | ${cell([guard])} | ${cell([target])} | ${cell(actions)} |`,
  );
  return [
    `## ${title}`,
    "",
    `${purpose} Definition: [\`${file}\`](../${file}).`,
    "",
    `![The states of the ${title.toLowerCase()} statechart](pictures/machines/${title.toLowerCase()}.svg)`,
    "",
    "| state | |",
    "|---|---|",
    ...states,
    "",
    "| in | on | if | goes to | does |",
    "|---|---|---|---|---|",
    ...transitions,
  ].join("\n");
}

test("docs/machines.md shows the statecharts as they are", async () => {
  const page = [
    "<!-- Generated from machines/ by test/docs/machines.test.ts; `npm run docs` writes it again. -->",
    "# The statecharts",
    "",
    "What may happen next is decided here and nowhere else. Rows are tried from top to bottom; in a state with the tag `busy` a request",
    "runs. Both files open in Stately Studio: paste a file's text into Studio's code import.",
    "",
    chapter(
      "Login",
      "From typed credentials to a session key (contract, [section 3](contract.md#3-states-and-transitions)).",
      "machines/login.ts",
      loginMachine,
    ),
    "",
    chapter(
      "Link",
      "From “which bank?” to where the session can transfer to (contract, [section 1](contract.md#1-what-the-service-does)); the login runs inside `loggingIn`.",
      "machines/link.ts",
      linkMachine,
    ),
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/machines.md");
});
