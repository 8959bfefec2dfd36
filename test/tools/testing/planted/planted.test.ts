// @vitest-environment happy-dom
import { readFile } from "node:fs/promises";
import type { Path } from "ventanilla/testing";
import { describe, expect, test } from "vitest";
import { formatTitle, generatedPaths } from "../../../generated-paths.ts";
import { showElement } from "./element-screen.ts";
import { changeInput, type MistakeName, mistakes } from "./mistakes.ts";
import { runInDom, runOnFakeClock } from "./open.ts";
import { showExample, showReact } from "./react-screens.tsx";

const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];

runOnFakeClock();

type Flow = Path["flow"];

/**
 * The beginning of the names of paths that find a mistake, and what is said of it: of the screen and the bank, and nothing of the driver. Of a mistake
 * that no path shows, nothing. Then the flow, where it is one of them.
 */
const finders: Readonly<Record<MistakeName, readonly [when: string, says: RegExp | undefined, flow?: Flow]>> = {
  "every later answer sends the first one": [
    "the bank asks twice",
    /: the bank got arequipa, the path gave 531975, and the screen shows "failed"/,
  ],
  "the text of `wrong_credentials` is swallowed": [
    "the password is wrong at first and the form is sent again",
    /: the screen shows "failed" without the text "The user name, the password/,
  ],
  "the question stays after its expiry": [
    "no one answers in time",
    /: the screen shows "awaitingInteraction".*, expected "failed"\.$/,
  ],
  "the list of clients is that of an earlier login": [
    "each login shows what the next one must not",
    /: the screen shows "selectClient" without the text ".+"\.$/,
  ],
  "a later form is the first one": [
    "the next bank has another form",
    /: the screen shows "idle" without the field ".+"\.$/,
    "link",
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
    "the next user is asked something else",
    /: the screen shows "awaitingInteraction".*, expected "idle"\.$/,
  ],
  "a missing client is shown as a success": [
    "the bank wants a client",
    /: the screen shows "loggedIn".*, expected "failed"\.$/,
  ],
  "a failure is shown as a success": [
    "the password is wrong at first and the form is sent again",
    /: the screen shows "loggedIn".*, expected "failed"\.$/,
  ],
  "a later question has the text of the first": [
    "the next user is asked something else",
    /: the screen shows "awaitingInteraction" without the text ".+"\.$/,
  ],
  "only the first client is offered": [
    "the ids of the clients have letters",
    /: the screen shows "selectClient" without the text ".+"\.$/,
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
    /: the screen shows "awaitingInteraction", and its field "otp" is not empty\.$/,
  ],
  "the bank works, and the form is shown as new": [
    "the login gets no response",
    /: the screen shows "idle", expected "submitting"\.$/,
  ],
  "one client of another bank serves every screen": [
    "the bank asks for a one-time code and the code",
    /: the screen shows "awaitingInteraction", and this path's bank got nothing: does it talk to another one\?$/,
  ],
  "every login is sent twice": [
    "the bank asks for a one-time code and the code",
    /: the screen shows "awaitingInteraction", and this path's bank got POST \/login\/ twice instead of once\.$/,
  ],
  "the user name is sent in small letters": [
    "each login shows what the next one must not",
    /: the bank got username stranger, the path gave username Stranger, and the screen shows "failed"/,
  ],
  "the password is sent under another name": [
    "the bank asks for a one-time code and the code",
    /: the screen shows "idle", expected "awaitingInteraction", and this path's bank did not get POST \/login\/\.$/,
  ],
  "the client of an earlier choice is sent again": [
    "the choice of a client gets no response, the login is cancelled",
    /: the bank got 1, the path gave 0, and the screen shows /,
    "login",
  ],
  "an old failure stays above the clients": [
    "each login shows what the next one must not",
    /: the screen shows "selectClient" with the text "The user name, .*" of an earlier step\.$/,
  ],
  "an old failure stays above the question": [
    "a client is missing after a failure and a question",
    /: the screen shows "awaitingInteraction" with the text "(The user name, |There is no connection).*" of an earlier step\.$/,
  ],
  "an old failure stays during the next try": [
    "a login gets no response before and after a failure",
    /: the screen shows "submitting" with the text "The user name, .*" of an earlier step\.$/,
  ],
  "a later failure has the text of the first": [
    "each login shows what the next one must not",
    /: the screen shows "failed" \("The user name, .*"\) without the text ".+"\.$/,
  ],
  "an old question stays above the clients": [
    "each login shows what the next one must not",
    /: the screen shows "selectClient" with the text "Ingrese el código del dispositivo de la empresa" of an earlier step\.$/,
  ],
  "the labels of user name and password are swapped": [
    "the bank asks for a one-time code and the code",
    /: the screen shows "idle", and its field "username" is labelled "Password", expected "User name"\.$/,
  ],
  "a field shows its name in place of its label": [
    "the bank asks for a one-time code and the code",
    /: the screen shows "idle", and its field "username" is labelled "username", expected "User name"\.$/,
  ],
  "the choices have another language than the labels": [
    "the form has a choice to make",
    /: the screen shows "idle", and its field "type" offers "Empresa", expected "Company"\.$/,
    "login",
  ],
  "a choice sends its label in place of its value": [
    "the form has a choice to make",
    /: the screen shows "idle", and its field "type" offers the value "Personal", expected "pers"\.$/,
    "login",
  ],
  "a long question is cut": [
    "the texts of the bank are long",
    /: the screen shows "awaitingInteraction" without the text "Para proteger su cuenta .*columna 7"\.$/,
  ],
  "a long name of a client is cut": [
    "the texts of the bank are long",
    /: the screen shows "selectClient" without the text "Compañía .*sucursal norte"\.$/,
  ],
  "a long label is cut": [
    "the texts of the bank are long",
    /: the screen shows "idle", and its field "type" is labelled "Kind of account: .*…", expected "Kind of account: /,
  ],
  "the button can be pressed again while the bank works": [
    "a login gets no response before and after a failure",
    /: the screen shows "submitting", and its button "submit" can be pressed again before the response\.$/,
  ],
  "an optional field is left out": [
    "an optional field has a value",
    /: the screen shows "idle" without the field "document_number"\.$/,
    "login",
  ],
  "the time to answer is not shown": ["no one answers in time", undefined],
  "a repeated question does not say so": ["the bank asks again after a wrong code", undefined],
};

const listFlows = (name: MistakeName) => everyPath.filter((path) => path.name.startsWith(`When ${finders[name][0]}`));

// With the driver that docs/testing.md names. On every path: planted.full.ts, and in a browser test/screens/browser/slow-drivers.full.ts.
describe("the example of React passes where a mistake is found", () => {
  const controls = new Set((Object.keys(mistakes) as MistakeName[]).flatMap(listFlows));
  test.concurrent.each([...controls].map((path) => [formatTitle(path, everyPath.indexOf(path)), path] as const))(
    "%s",
    async (_, path) => {
      expect(await runInDom(path, showExample, { timeout: 60_000 })).toBeUndefined();
    },
  );
});

// Of a login and a link one is drawn by React, the other by the web component. Both on every path: planted.full.ts.
describe("a mistake is found on a screen of React and in a web component:", () => {
  test.concurrent.for(Object.keys(mistakes) as MistakeName[])("%s", async (name) => {
    const [, says, flow] = finders[name];
    const screens = [
      [flow ?? "login", showReact],
      [flow ?? "link", showElement],
    ] as const;
    const runs = screens.map(async ([flow, show]) => {
      const paths = listFlows(name).filter((path) => path.flow === flow);
      const sentences = paths.map((path) => {
        const mistake = mistakes[name]();
        // A second to answer has to run out.
        const timeout = path.settings.answerTimeout ? 1500 : 600;
        return runInDom(path, (root, input) => show(root, changeInput(name, input), mistake), { timeout });
      });
      return (await Promise.all(sentences)).filter((sentence) => sentence !== undefined);
    });
    for (const found of await Promise.all(runs)) {
      expect(found.length > 0).toBe(says !== undefined);
      for (const sentence of found) expect(sentence).toMatch(says ?? "");
    }
    // From the root of the repository: in a DOM emulation a module has no address of a file.
    const page = await readFile("test/tools/testing/planted/found.md", "utf8");
    expect(page).toContain(`| ${name} |`);
  });
});
