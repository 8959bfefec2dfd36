import {
  type BankClient,
  createBankClient,
  createRelayClient,
  type LinkSettings,
  type LoginSettings,
  type ProviderDetail,
  type RelayClientOptions,
} from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import type { lifecycleTelemetry } from "ventanilla/telemetry";
import { fetchFor, type LinkDriver, type Path, runPath } from "ventanilla/testing";
import { screenDriver } from "./screen-driver.ts";
import { listWronglyShown } from "./wrongly-shown.ts";

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

/** A path, and milliseconds that each call of its driver takes. */
export interface SlowRun {
  readonly path: Path;
  readonly took: number;
}

declare global {
  interface Window {
    /** Shows the screen for a path of the test kit, in place of the one before. */
    show(path: Path, username?: string): Promise<void>;
    /** Shows the screen for a path and follows the path. @returns what went wrong. */
    run(path: Path): Promise<string | undefined>;
    /** Shows screens for the paths, many at a time, follows each path, and removes its screen. @returns what went wrong. */
    runAll(runs: readonly SlowRun[]): Promise<readonly string[]>;
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
    lifecycleTelemetry: typeof lifecycleTelemetry;
  }
}

// Milliseconds without a step of the path: on the slowest machine one takes far less. A test has more, to say which path is stuck.
const TIMEOUT = 30_000;

/** How many screens a page has at a time: with more, a slow machine only looks at them, and with fewer a fast one waits. */
const SCREENS = 40;

/** A relay at which each login is at a question, whatever is asked. */
const respondAsRelay = async (): Promise<Response> =>
  Response.json(
    { status: "interaction_required", key: "step-1", field: "otp", context: "A code", number: 1 },
    { headers: { "x-ventanilla": "users", "x-ventanilla-submit": "1" } },
  );

/** Lets a test show a framework's screens with the bank of a path. */
export function serveScreens(mount: Mount): void {
  let hide: (() => void) | undefined;
  // Of each state the first screen that shows it: a look lays the page out.
  const looked = new Set<string>();
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
  const isRelay = location.search === "?relay";
  const open = async (path: Path, username?: string) => {
    const bank = fetchFor(path);
    const options: Pick<RelayClientOptions, "baseUrl" | "retry" | "fetch"> = {
      baseUrl: "http://bank.test",
      retry: false,
      fetch: (input, init) => {
        const request = new Request(input, init);
        const sent = `${request.method} ${new URL(request.url).pathname}`;
        window.requests.push(sent);
        if (typeof init?.body === "string") window.forms.push(init.body);
        request.signal.addEventListener("abort", () => window.aborted.push(sent));
        return respondSlowly(request.signal, () => (isRelay ? respondAsRelay() : bank(request)));
      },
    };
    const client = isRelay ? createRelayClient(options) : createBankClient({ ...options, apiKey: SANDBOX_API_KEY });
    const { flow, provider, settings } = path;
    const detail = path.flow === "login" ? path.detail : undefined;
    const root = document.body.appendChild(document.createElement("main"));
    const close = await mount(root, { flow, client, provider, detail, username, settings });
    const driver: LinkDriver = { ...screenDriver(path, root), received: () => bank.received };
    const wrong: string[] = [];
    const currentState = async () => {
      const state = await driver.currentState();
      if (!looked.has(state)) wrong.push(...listWronglyShown(root).map((fault) => `${state}: ${fault}`));
      looked.add(state);
      return state;
    };
    return { driver: { ...driver, currentState }, close, wrong };
  };
  const start = () => Object.assign(window, { requests: [], forms: [], aborted: [], pending: 0 });
  const show = async (path: Path, username?: string) => {
    await window.hide();
    start();
    const screen = await open(path, username);
    hide = screen.close;
    return screen;
  };
  window.show = async (path, username) => void (await show(path, username));
  window.run = async (path) => {
    const { driver, wrong } = await show(path);
    return follow(path, driver, wrong);
  };
  window.runAll = async (runs) => {
    start();
    const errors: string[] = [];
    // What takes longest begins first.
    const left = [...runs].sort((one, other) => other.took - one.took);
    const followAll = async () => {
      for (let run = left.shift(); run; run = left.shift()) {
        const { path, took } = run;
        const { driver, close, wrong } = await open(path);
        const error = await follow(path, slowDown(driver, took), wrong);
        close();
        if (error) errors.push(`${path.flow} ${path.number}, ${took} ms: ${error}`);
      }
    };
    await Promise.all(Array.from({ length: SCREENS }, followAll));
    return errors;
  };
}

/** Follows a path. @returns what went wrong. */
async function follow(path: Path, driver: LinkDriver, wrong: readonly string[]): Promise<string | undefined> {
  const error = await runPath(path, driver, { timeout: TIMEOUT }).then(() => undefined, String);
  return error ?? wrong[0];
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
