import { once } from "node:events";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { type Display, patience, start } from "./display.ts";
import { type Browser, browsers, find } from "./windows.ts";

/** A login that a person has saved in the browser for an origin. */
export interface SavedLogin {
  readonly origin: string;
  readonly username: string;
  readonly password: string;
}

type Open = (display: Display, login: SavedLogin) => Promise<Browser>;

/** The browsers that have a store of passwords, with a profile of their own in which a login is saved. WebKitGTK's window has none. */
export const browsersWithLogin = {
  Firefox: async (display, login) => {
    const profile = await createProfile();
    await saveInFirefox(display, profile, login);
    return browsers.Firefox(display, profile);
  },
  Chromium: async (display, login) => {
    const browser = await browsers.Chromium(display, await createProfile());
    const tab = await browser.open();
    await tab.goto("chrome://password-manager/passwords");
    await tab.evaluate(String(saveInChromium), [login]);
    await tab.close();
    return browser;
  },
} satisfies Record<string, Open>;

const createProfile = () => mkdtemp(join(tmpdir(), "profile-"));

declare const chrome: { passwordsPrivate: { addPassword(login: object): Promise<void> } };

/** Runs in Chromium's own page of passwords. */
function saveInChromium({ origin, username, password }: SavedLogin): Promise<void> {
  return chrome.passwordsPrivate.addPassword({ url: origin, username, password, note: "", useAccountStore: false });
}

/** Saves it by Marionette, which reaches the browser itself: WebDriver BiDi reaches pages alone. */
async function saveInFirefox({ environment }: Display, profile: string, login: SavedLogin): Promise<void> {
  await writeFile(join(profile, "user.js"), 'user_pref("marionette.port", 0);');
  const options = ["-marionette", "--remote-allow-system-access", "-no-remote", "-profile", profile];
  const program = await start(find("firefox-esr"), options, environment as NodeJS.ProcessEnv);
  const ended = once(program, "exit");
  const readPort = async () => Number(await readFile(join(profile, "MarionetteActivePort"), "utf8").catch(() => 0));
  const send = await openMarionette(await vi.waitUntil(readPort, patience));
  await send("WebDriver:NewSession", {});
  await send("Marionette:SetContext", { value: "chrome" });
  const script = `
    const [origin, username, password, done] = arguments;
    const login = Cc["@mozilla.org/login-manager/loginInfo;1"].createInstance(Ci.nsILoginInfo);
    login.init(origin, origin, null, username, password, "", "");
    Services.logins.addLoginAsync(login).then(() => done(), (error) => done(String(error)));`;
  const args = [login.origin, login.username, login.password];
  await send("WebDriver:ExecuteAsyncScript", { script, args, sandbox: "system", newSandbox: true });
  await send("Marionette:Quit", { flags: ["eAttemptQuit"] });
  await ended;
}

/** Marionette's protocol: each message is JSON after its length and a colon. */
async function openMarionette(port: number) {
  const socket = connect(port, "127.0.0.1");
  const messages: unknown[] = [];
  let rest = Buffer.alloc(0);
  socket.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (let colon = rest.indexOf(":"); colon > 0; colon = rest.indexOf(":")) {
      const end = colon + 1 + Number(rest.subarray(0, colon));
      if (rest.length < end) return;
      messages.push(JSON.parse(String(rest.subarray(colon + 1, end))));
      rest = rest.subarray(end);
    }
  });
  const receive = () => vi.waitUntil(() => messages.shift(), patience);
  // Its greeting.
  await receive();
  return async (command: string, parameters: object): Promise<void> => {
    const text = JSON.stringify([0, 1, command, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error, result] = (await receive()) as [number, number, unknown, { value?: unknown } | null];
    if (error || result?.value) throw new Error(`${command}: ${JSON.stringify(error ?? result)}`);
  };
}
