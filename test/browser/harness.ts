import {
  type BankClient,
  createBankClient,
  type LinkSettings,
  type LoginSettings,
  type ProviderDetail,
} from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, type Path, runPath } from "ventanilla/testing";
import { screenDriver } from "./screen-driver.ts";

/** What a screen under test is shown with. */
export interface Shown {
  readonly flow: "login" | "link";
  readonly client: BankClient;
  readonly provider: string;
  readonly detail: ProviderDetail | undefined;
  /** The user name that the page knows. */
  readonly username?: string | undefined;
  readonly settings: LoginSettings | LinkSettings;
}

/** Puts a screen on the page, and says how to take it away. */
export type Mount = (root: HTMLElement, shown: Shown) => (() => void) | Promise<() => void>;

declare global {
  interface Window {
    /** Shows the screen for a path of the test kit, in place of what was there. */
    show(path: Path, username?: string): Promise<void>;
    /** Shows the screen for a path and drives it along. Resolves with what went wrong. */
    run(path: Path): Promise<string | undefined>;
    hide(): Promise<void>;
    /** In React: hides the screen in an `Activity`, or shows it again. */
    setMode(mode: "visible" | "hidden"): void;
    /** Puts the page back as it was loaded. */
    reset(): Promise<void>;
    /** What was sent so far, as method and path. */
    requests: string[];
    /** What of it was given up. */
    aborted: string[];
    /** How many milliseconds the bank takes to answer. Default none. */
    latency?: number;
    /** How many answers are waited for. */
    pending: number;
  }
}

/** Lets a test show a framework's screens with the bank that a path wants. */
export function serveScreens(mount: Mount): void {
  let hide: (() => void) | undefined;
  window.hide = async () => {
    hide?.();
    hide = undefined;
  };
  const head = [...document.head.children];
  window.reset = async () => {
    await window.hide();
    window.latency = 0;
    document.documentElement.lang = "en";
    document.head.replaceChildren(...head);
    document.body.replaceChildren();
  };
  // No machine is too slow for a path.
  window.run = async (path) => {
    await window.show(path);
    return runPath(path, screenDriver(path), { timeout: 60_000 }).then(
      () => undefined,
      (error) => String(error),
    );
  };
  window.show = async (path, username) => {
    await window.hide();
    window.requests = [];
    window.aborted = [];
    window.pending = 0;
    const bank = fetchFor(path);
    const client = createBankClient({
      baseUrl: "http://bank.test",
      apiKey: SANDBOX_API_KEY,
      retry: false,
      fetch: (input, init) => {
        const request = new Request(input, init);
        const sent = `${request.method} ${new URL(request.url).pathname}`;
        window.requests.push(sent);
        request.signal.addEventListener("abort", () => window.aborted.push(sent));
        return slowly(request.signal, () => bank(request));
      },
    });
    const { flow, provider, settings } = path;
    hide = await mount(document.body.appendChild(document.createElement("main")), {
      flow,
      client,
      provider,
      detail: path.flow === "login" ? path.detail : undefined,
      username,
      settings,
    });
  };
}

/** An answer of a bank that takes its time; what is given up, or never answered, is waited for no longer. */
async function slowly(signal: AbortSignal, answer: () => Promise<Response>): Promise<Response> {
  window.pending += 1;
  const late = new Promise((resolve) => setTimeout(resolve, window.latency ?? 0));
  const givenUp = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await Promise.race([late, givenUp]);
  const answered = answer();
  const soon = new Promise((resolve) => setTimeout(resolve, 50));
  void Promise.race([answered.catch(() => {}), soon]).then(() => {
    window.pending -= 1;
  });
  return answered;
}
