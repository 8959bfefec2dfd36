// @vitest-environment happy-dom
import { readFile } from "node:fs/promises";
import type { Path } from "ventanilla/testing";
import { describe, expect, test } from "vitest";
import { formatTitle, generatedPaths } from "../../../generated-paths.ts";
import { showElement } from "./element-screen.ts";
import { type MistakeName, mistakes } from "./mistakes.ts";
import { runInDom, runOnFakeClock } from "./open.ts";
import { showExample, showReact } from "./react-screens.tsx";

const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];

runOnFakeClock();

/** The beginning of the names of paths that find a mistake, and what is said of it: of the screen and the bank, and nothing of the driver. */
const finders: Readonly<Record<MistakeName, readonly [when: string, says: RegExp]>> = {
  "every later answer sends the first one": [
    "the bank asks twice",
    /: the bank got arequipa, the path gave 531975, and the screen shows "failed"/,
  ],
  "the text of `wrong_credentials` is swallowed": [
    "the password is wrong at first and the form is sent again",
    /: the screen shows "failed" without the text "The user name, the password/,
  ],
  "the question stays after its expiry": [
    "nobody answers in time",
    /: the screen shows "answering".*, expected "failed"\.$/,
  ],
  "the list of clients is that of an earlier login": [
    "the next user has other clients",
    /: the screen shows "choosingClient" without the text ".+"\.$/,
  ],
  "a later form is the first one": [
    "the next bank has another form",
    /: the screen shows "enteringCredentials" without the field ".+"\.$/,
  ],
  "a choice sends the index in place of the id": [
    "the ids of the clients have letters",
    /: the bank got (no choice|\d), the path gave FIC-\d+, and the screen shows /,
  ],
  "the text of a failure stays after a success": [
    "the password is wrong at first and the form is sent again",
    /: the screen shows "(loggedIn|linked)" with the text "The user name, .*" of an earlier step\.$/,
  ],
  "cancel does nothing": [
    "the bank asks for a one-time code and the login is cancelled",
    /: the screen shows "answering".*, expected "enteringCredentials"\.$/,
  ],
  "a missing client is shown as a success": [
    "the bank wants a client",
    /: the screen shows "loggedIn", expected "clientRequired"\.$/,
  ],
  "a failure is shown as a success": [
    "the password is wrong at first and the form is sent again",
    /: the screen shows "loggedIn".*, expected "failed"\.$/,
  ],
  "a later question has the text of the first": [
    "the next user is asked something else",
    /: the screen shows "answering" without the text ".+"\.$/,
  ],
  "only the first client is offered": [
    "the ids of the clients have letters",
    /: the screen shows "choosingClient" without the text ".+"\.$/,
  ],
  "the user name of the first login is sent again": [
    "the next user is asked something else",
    /: the bank got username 12345pq, the path gave username 12345otp, and the screen shows /,
  ],
  "the password is sent in capitals": [
    "the bank asks for a one-time code and the code",
    /: the bank got password ASDFG, the path gave password asdfg, and the screen shows "failed"/,
  ],
  "a repeated question starts with the wrong answer": [
    "the bank asks again after a wrong code",
    /: the screen shows "answering", and its field "otp" is not empty\.$/,
  ],
  "the bank works, and the form is shown as new": [
    "the login stays without an answer",
    /: the screen shows "enteringCredentials", expected "submitting"\.$/,
  ],
};

const listFlows = (name: MistakeName) => everyPath.filter((path) => path.name.startsWith(`When ${finders[name][0]}`));

// With the driver that docs/testing.md prints. On every path: planted.full.ts, and in a browser test/screens/browser/slow-drivers.full.ts.
describe("the example of React passes where a mistake is found", () => {
  const controls = new Set((Object.keys(mistakes) as MistakeName[]).flatMap(listFlows));
  test.concurrent.each([...controls].map((path) => [formatTitle(path, everyPath.indexOf(path)), path] as const))(
    "%s",
    async (_, path) => {
      expect(await runInDom(path, showExample, { timeout: 60_000 })).toBeUndefined();
    },
  );
});

describe("a mistake is found on a screen of React, in a login and a link, and in a web component:", () => {
  test.concurrent.for(Object.keys(mistakes) as MistakeName[])("%s", async (name) => {
    const [, says] = finders[name];
    const runs = listFlows(name).flatMap((path) =>
      [showReact, showElement].map(async (show) => {
        const mistake = mistakes[name]();
        const sentence = await runInDom(path, (root, input) => show(root, input, mistake), { timeout: 2500 });
        return [path.flow, sentence] as const;
      }),
    );
    const found = (await Promise.all(runs)).filter(([, sentence]) => sentence !== undefined);
    const isOfLinks = name === "a later form is the first one";
    expect(new Set(found.map(([flow]) => flow))).toEqual(new Set(isOfLinks ? ["link"] : ["login", "link"]));
    expect(found.length % 2).toBe(0);
    for (const [, sentence] of found) expect(sentence).toMatch(says);
    // From the root of the repository: in a DOM emulation a module has no address of a file.
    const page = await readFile("docs/testing.md", "utf8");
    expect(page).toContain(`| ${name} |`);
  });
});
