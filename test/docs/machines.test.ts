import { readFile } from "node:fs/promises";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import type { AnyStateMachine } from "xstate";
import { listStates } from "../../src/tools/trace/transitions.ts";

async function chapter(title: string, purpose: string, file: string, machine: AnyStateMachine): Promise<string> {
  const states = listStates(machine).map(({ path, tags, isFinal }) => {
    const kind = [...tags, isFinal ? "final" : ""].filter(Boolean).join(", ");
    return `| \`${path}\` | ${kind} |`;
  });
  const types = await readFile(new URL(`../../${file.replace(".ts", ".types.ts")}`, import.meta.url), "utf8");
  const [output] = new RegExp(`export (type|interface) ${title}Output [^]*?\\n(}|  \\|[^\\n]*;)\\n`).exec(types) ?? [];
  if (!output) throw new Error(`${title}Output is not declared.`);
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
    "In a final state the snapshot has its `output`, which `toPromise(actor)` awaits; in a parent statechart it is `event.output` of `onDone`:",
    "",
    "```ts",
    output.replace("export ", "").trimEnd(),
    "```",
  ].join("\n");
}

test("docs/machines.md shows the statecharts as they are", async () => {
  const page = [
    "<!-- Generated from machines/ by test/docs/machines.test.ts; `npm run docs` writes it again. -->",
    "# Statecharts",
    "",
    "This page draws the two statecharts and lists their states, for developers who use one directly or change it.",
    "",
    "What may happen next is decided here and nowhere else. An arrow has its event and, in brackets, its guard; in a state with the tag `busy` a request",
    "runs. `ventanilla diagram login --format json` lists every transition, in the order in which they are tried. What one does is in the file, which",
    "[opens in Stately Studio](inspection.md#in-stately-studio).",
    "",
    "Studio's importer loses two things: the `output` of a statechart, and the `onSnapshot` of an invoked actor (`loggingIn` of the link). Put both back into",
    "what you export. To fill a slot with your own request, write both types, its output and its input:",
    "",
    "```ts",
    "submitCredentials: fromPromise<SubmitOutput, CredentialsRequest>(async ({ input, signal }) => …)",
    "```",
    "",
    "[examples/provide.ts](examples/provide.ts) does. Without the types the compiler refuses the slot, because XState's actors are invariant.",
    "",
    await chapter(
      "Login",
      "From typed credentials to a session key (contract, [section 3](contract.md#3-states-and-transitions)).",
      "machines/login.ts",
      loginMachine,
    ),
    "",
    await chapter(
      "Link",
      "From “which bank?” to where the session can transfer to (contract, [section 1](contract.md#1-what-the-service-does)); the login runs inside `loggingIn`.",
      "machines/link.ts",
      linkMachine,
    ),
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/machines.md");
});
