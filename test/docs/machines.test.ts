import { readFile } from "node:fs/promises";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import type { AnyStateMachine } from "xstate";
import { listStates } from "../../src/tools/trace/transitions.ts";

function describeMachine(title: string, purpose: string, file: string, machine: AnyStateMachine): string {
  const all = listStates(machine).map(({ path, tags, isFinal }) => ({ path, tags: [...tags, isFinal ? "final" : ""] }));
  const states = ["busy", "open", "over", "final"].flatMap((tag) => {
    const paths = all.filter(({ tags }) => tags.includes(tag)).map(({ path }) => `\`${path}\``);
    return paths.length > 0 ? [`| \`${tag}\` | ${paths.join(", ")} |`] : [];
  });
  return [
    `## ${title}`,
    "",
    `${purpose} Definition: [\`${file}\`](../${file}).`,
    "",
    `![The states of the ${title.toLowerCase()} statechart](pictures/machines/${title.toLowerCase()}.svg)`,
    "",
    "| | states |",
    "|---|---|",
    ...states,
  ].join("\n");
}

test("docs/inspection.md shows the statecharts as they are", async () => {
  const page = await readFile(new URL("../../docs/inspection.md", import.meta.url), "utf8");
  const chapters = [
    describeMachine(
      "Login",
      "From typed credentials to a session key (contract, [section 3](contract.md#3-states-and-transitions)).",
      "machines/login.ts",
      loginMachine,
    ),
    describeMachine(
      "Link",
      "From “which bank?” to where the session can transfer to (contract, [section 1](contract.md#1-what-the-service-does)); the login runs inside `loggingIn`.",
      "machines/link.ts",
      linkMachine,
    ),
    "In a final state the snapshot has its `output` (`LoginOutput`, `LinkOutput`), which `toPromise(actor)` awaits; in a parent statechart it is `event.output` of `onDone`.",
  ];
  const place = /(<!-- statecharts: [^>]*-->\n)[\s\S]*?(<!-- end -->)/;
  const fresh = page.replace(place, (_, begin: string, end: string) =>
    [begin, chapters.join("\n\n"), "", end].join("\n"),
  );
  await expect(fresh).toMatchFileSnapshot("../../docs/inspection.md");
});
