import { describe, expect, test } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { openPage } from "./screen-page.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

const screens = setUpServer(() => serveBuilt("react", "test/screens/browser/planted"));

/** The mistake in a screen of `useLogin` and of `useLink`, paths that show it, and what is said of it. */
const mistakes: readonly [mistake: string, query: string, path: string, message: RegExp][] = [
  [
    "the second code is sent with the text of the first",
    "stale-answer",
    "the bank asks twice and",
    /: the bank got arequipa, the path gave 531975, and the screen shows "failed" \("The .+"\), expected "(loggedIn|linked)"\.$/m,
  ],
  [
    "a choice sends the index in place of the id",
    "index",
    "the ids of the clients have letters and",
    /: the bank got nothing, the path gave FIC-02419999, and the screen shows "failed" \("You don't have access to the client .+"\), expected "(loggedIn|linked)"\.$/m,
  ],
  [
    "the error of a failed try stays after a success",
    "stale-failure",
    "the password is wrong at first and the form is sent again",
    /the screen shows "(loggedIn|linked|loadingDestinations)" with the text "The user name, the password .+" of an earlier step\.$/m,
  ],
  [
    "cancel does nothing",
    "cancel",
    "the bank asks for a one-time code and",
    /"the login is cancelled at the question": the screen shows "answering", expected "enteringCredentials"\.$/m,
  ],
];

describe.each(["login", "link"] as const)("of a %s screen the test kit finds that", (flow) => {
  test.each(mistakes)("%s", async (_, query, when, message) => {
    const screen = await openPage(new URL(`?${query}`, screens().url).href);
    const paths = generatedPaths[flow].filter(({ name }) => name.startsWith(`When ${when}`));
    let error: string | undefined;
    for (const path of paths) {
      error ??= await screen.page.evaluate((path) => window.run(path, 2000), path);
    }
    await screen.page.context().close();
    expect(error).toMatch(message);
  });
});

test("a screen without a mistake passes the same paths", async () => {
  const screen = await openPage(screens().url);
  const { login, link } = generatedPaths;
  for (const path of [...login, ...link]) {
    if (mistakes.some(([, , when]) => path.name.startsWith(`When ${when}`))) await screen.showEnd(path);
  }
  await screen.page.context().close();
});
