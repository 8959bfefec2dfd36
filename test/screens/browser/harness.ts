import {
  type BankClient,
  type ClientOptions,
  createBankClient,
  createRelayClient,
  type LinkSettings,
  type LoginSettings,
  type ProviderDetail,
} from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import type { onLifecycle } from "ventanilla/telemetry";
import { fetchFor, type LinkDriver, type Path, type PathFetch, runPath } from "ventanilla/testing";
import { screenDriver } from "./screen-driver.ts";

/** What a screen under test is created with. */
interface ScreenInput {
  readonly flow: "login" | "link";
  readonly client: BankClient;
  readonly provider: string;
  readonly detail: ProviderDetail | undefined;
  /** The user name that the page knows. */
  readonly username?: string | undefined;
  readonly settings: LoginSettings | LinkSettings;
}

/** Puts a screen on the page, and returns how to remove it. */
type Mount = (root: HTMLElement, input: ScreenInput) => (() => void) | Promise<() => void>;

declare global {
  interface Window {
    /** Shows the screen for a path of the test kit, in place of the one before. */
    show(path: Path, username?: string): Promise<void>;
    /** Shows the screen for a path and follows the path. @param took milliseconds of each call of the driver. @returns what went wrong. */
    run(path: Path, timeout?: number, took?: number): Promise<string | undefined>;
    hide(): Promise<void>;
    /** In React: hides the screen in an `Activity`, or shows it again. */
    setMode(mode: "visible" | "hidden"): void;
    /** Puts the page back as it was loaded. */
    reset(): Promise<void>;
    /** The requests so far, as method and path. */
    requests: string[];
    /** The forms that were sent, as they were written. */
    forms: string[];
    /** Those of them that were aborted. */
    aborted: string[];
    /** Milliseconds that the bank takes for each response, those under way included; `Infinity` holds them. Default 0. */
    latency?: number;
    /** How many responses are awaited. */
    pending: number;
    /** In the page of `<bank-login>`. */
    onLifecycle: typeof onLifecycle;
  }
}

/** Lets a test show a framework's screens with the bank of a path. */
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
  // A time-out for the slowest machine.
  let bank: PathFetch | undefined;
  window.run = async (path, timeout = 60_000, took = 0) => {
    await window.show(path);
    const driver = slowDown({ ...screenDriver(path), received: () => bank?.received ?? [] }, took);
    return runPath(path, driver, { timeout }).then(() => undefined, String);
  };
  window.show = async (path, username) => {
    await window.hide();
    window.requests = [];
    window.forms = [];
    window.aborted = [];
    window.pending = 0;
    const fetch = fetchFor(path);
    bank = fetch;
    const options: ClientOptions & { baseUrl: string } = {
      baseUrl: "http://bank.test",
      retry: false,
      fetch: (input, init) => {
        const request = new Request(input, init);
        const sent = `${request.method} ${new URL(request.url).pathname}`;
        window.requests.push(sent);
        if (typeof init?.body === "string") window.forms.push(init.body);
        request.signal.addEventListener("abort", () => window.aborted.push(sent));
        return respondSlowly(request.signal, () => fetch(request));
      },
    };
    const client =
      location.search === "?relay"
        ? createRelayClient(options)
        : createBankClient({ ...options, apiKey: SANDBOX_API_KEY });
    const { flow, provider, settings } = path;
    const detail = path.flow === "login" ? path.detail : undefined;
    const root = document.body.appendChild(document.createElement("main"));
    hide = await mount(root, { flow, client, provider, detail, username, settings });
  };
}

/** Delays each call of a driver. */
function slowDown(driver: LinkDriver, took: number): LinkDriver {
  if (took === 0) return driver;
  const methods = Object.entries(driver).map(([name, call]) => [
    name,
    async (...given: unknown[]) => {
      await new Promise((resolve) => setTimeout(resolve, took));
      return (call as (...given: unknown[]) => unknown)(...given);
    },
  ]);
  return Object.fromEntries(methods) as LinkDriver;
}

/** Delays a response by the latency. It counts as pending until it has come or is aborted. */
async function respondSlowly(signal: AbortSignal, respond: () => Promise<Response>): Promise<Response> {
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  window.pending += 1;
  const begun = performance.now();
  while (!signal.aborted && performance.now() - begun < (window.latency ?? 0)) await wait(10);
  return respond().finally(() => {
    window.pending -= 1;
  });
}
