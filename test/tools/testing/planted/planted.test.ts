// @vitest-environment happy-dom
import { readFile } from "node:fs/promises";
import type { Path } from "ventanilla/testing";
import { describe, expect, test } from "vitest";
import { formatTitle, generatedPaths } from "../../../generated-paths.ts";
import { showElement } from "./element-screen.ts";
import { type MistakeName, mistakes } from "./mistakes.ts";
import { runInDom } from "./open.ts";
import { showExample, showReact } from "./react-screens.tsx";

const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];

// With the driver that docs/testing.md prints.
describe("the example of React passes", () => {
  test.concurrent.each(everyPath.map((path, index) => [formatTitle(path, index), path] as const))(
    "%s",
    async (_, path) => {
      expect(await runInDom(path, showExample, { timeout: 60_000 })).toBeUndefined();
    },
  );
});

/** Which paths find a mistake, among others: `planted.full.ts` runs all of them. */
const finders: Readonly<Record<MistakeName, string>> = {
  "every later answer sends the first one": "the bank asks twice",
  "the text of `wrong_credentials` is swallowed": "the password is wrong at first and the form is sent again",
  "the question stays after its expiry": "nobody answers in time",
  "the list of clients is that of an earlier login": "the next user has other clients",
  "a later form is the first one": "the next bank has another form",
  "a choice sends the index in place of the id": "the ids of the clients have letters",
  "the text of a failure stays after a success": "the password is wrong at first and the form is sent again",
  "cancel does nothing": "the bank asks for a one-time code and the login is cancelled",
  "a missing client is shown as a success": "the bank wants a client",
  "a failure is shown as a success": "the password is wrong at first and the form is sent again",
  "a later question has the text of the first": "the next user is asked something else",
  "only the first client is offered": "the ids of the clients have letters",
  "the user name of the first login is sent again": "the next user is asked something else",
  "the password is sent in capitals": "the bank asks for a one-time code and the code",
  "a repeated question starts with the wrong answer": "the bank asks again after a wrong code",
  "the bank works, and the form is shown as new": "the login stays without an answer",
};

/** What is said of it: of the screen and of the bank, and nothing of the driver. */
const said: Readonly<Partial<Record<MistakeName, RegExp>>> = {
  "every later answer sends the first one":
    /: the bank got arequipa, the path gave 531975, and the screen shows "failed"/,
  "the text of `wrong_credentials` is swallowed":
    /: the screen shows "failed" without the text "The user name, the password/,
  "the question stays after its expiry": /: the screen shows "answering".*, expected "failed"\.$/,
  "the list of clients is that of an earlier login": /: the screen shows "choosingClient" without the text ".+"\.$/,
  "a later form is the first one": /: the screen shows "enteringCredentials" without the field ".+"\.$/,
  "a repeated question starts with the wrong answer":
    /: the screen shows "answering", and its field "otp" is not empty\.$/,
};

describe("a mistake is found on a screen of React, in a login and a link, and in a web component:", () => {
  test.concurrent.for(Object.keys(mistakes) as MistakeName[])("%s", async (name) => {
    const flows = everyPath.filter((path) => path.name.startsWith(`When ${finders[name]}`));
    const runs = flows.flatMap((path) =>
      [showReact, showElement].map(async (show) => {
        const mistake = mistakes[name]();
        const sentence = await runInDom(path, (root, input) => show(root, input, mistake), { timeout: 3000 });
        return [path.flow, sentence] as const;
      }),
    );
    const found = (await Promise.all(runs)).filter(([, sentence]) => sentence !== undefined);
    const isOfLinks = name === "a later form is the first one";
    expect(new Set(found.map(([flow]) => flow))).toEqual(new Set(isOfLinks ? ["link"] : ["login", "link"]));
    expect(found.length % 2).toBe(0);
    for (const [, sentence] of found) expect(sentence).toMatch(said[name] ?? /: the (screen|bank) /);
    // From the root of the repository: in a DOM emulation a module has no address of a file.
    const page = await readFile("docs/testing.md", "utf8");
    expect(page).toContain(`| ${name} |`);
  });
});
