import { Script } from "node:vm";
import { Window } from "happy-dom";
import type { LinkView, LoginState } from "ventanilla";
import { expect, onTestFinished } from "vitest";
import { hostedTexts } from "../../../src/core/texts/languages.ts";
import { ANSWER, type Form } from "./bank.ts";

/** What a person is told: the state of a login, or a page without one. */
export type Told = LoginState["state"] | "cancelled" | "elsewhere" | "comesBack" | "over" | "nothing";

/** One request of a browser or an app, and the response that the server has sent. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly sent: string;
  readonly received: string;
}

/** The connection of one browser or phone, and how it fails. */
export interface Network {
  send(url: string, init?: RequestInit): Promise<Response>;
  /** Loses the next login or answer: before the server has it, or after the server has responded. */
  lose(what: "request" | "response"): void;
  /** Breaks what is under way. */
  drop(): void;
  /** As browsers and balancers repeat a request: each login and answer arrives twice. */
  isRepeating: boolean;
}

export function createNetwork(traffic: Exchange[], onResponse: () => void): Network {
  const open = new Set<AbortController>();
  let lost: "request" | "response" | undefined;
  const fail = () => {
    lost = undefined;
    throw new TypeError("fetch failed");
  };
  const network: Network = {
    isRepeating: false,
    async send(url, { signal, body: form, ...rest } = {}) {
      // A client on Node sends a stream, which can be read once.
      const body = form == null ? "" : await new Response(form).text();
      const init = { ...rest, ...(form != null && { body }) };
      const isLogin = init.method === "POST" && url.endsWith("/login/");
      if (isLogin && lost === "request") fail();
      const breaking = new AbortController();
      open.add(breaking);
      const signals = [breaking.signal, ...(signal ? [signal] : [])];
      const exchange = async () => {
        const response = await fetch(url, { redirect: "manual", ...init, signal: AbortSignal.any(signals) });
        const text = await response.text();
        traffic.push({
          method: init.method ?? "GET",
          url,
          sent: `${[...new Headers(init.headers)].join("\n")}\n${body}`,
          received: `${[...response.headers].join("\n")}\n${text}`,
        });
        onResponse();
        return new Response(text === "" ? null : text, response);
      };
      try {
        const [response] = await Promise.all([exchange(), ...(isLogin && network.isRepeating ? [exchange()] : [])]);
        if (isLogin && lost === "response") fail();
        return response;
      } finally {
        open.delete(breaking);
      }
    },
    lose(what) {
      lost = what;
    },
    drop() {
      for (const breaking of open) breaking.abort(new TypeError("fetch failed"));
    },
  };
  return network;
}

/** A person at a page or in an app, who does what is shown and knows nothing of what is behind it. */
export interface Person {
  readonly network: Network;
  told(): Told;
  /** The code of the failure that is shown. */
  failure(): string | undefined;
  submit(form: Form, presses?: number): Promise<void>;
  answer(text?: string, presses?: number): Promise<void>;
  /** Chooses the first client. */
  choose(): Promise<void>;
  /** Closes the login: the ×, and yes where it asks. In an app, its way back. */
  cancel(): Promise<void>;
  /** Opens the page or the app again. It has what the browser or the phone has kept, and nothing else. */
  reload(): Promise<void>;
  /** All that the browser or the phone has kept where a script can read it. */
  stored(): string;
}

/** Waits until a person is told something. */
export async function sees(person: Person, ...told: readonly Told[]): Promise<void> {
  await expect
    .poll(() => `${person.told()} ${person.failure() ?? ""}`.trim(), { timeout: 20_000 })
    .toSatisfy((text: string) => told.some((one) => text.split(" ")[0] === one));
}

/** What the tabs of a browser share. */
export interface Browser {
  readonly cookies: Map<string, string>;
  readonly network: Network;
  readonly openTab: (url: string, storage?: ReadonlyMap<string, string>) => Promise<Tab>;
}

export interface Tab extends Person {
  readonly url: string;
  /** A copy of it, as browsers make one: with what the page has kept in this tab. */
  duplicate(): Promise<Tab>;
  /** The browser knows that there is no connection. */
  goOffline(): void;
  readonly typedPassword: () => string;
}

/** The states of the component around a login. */
const around: Readonly<Record<Exclude<LinkView["state"], LoginState["state"] | "cancelled">, Told>> = {
  loadingProviders: "nothing",
  choosingProvider: "nothing",
  loadingFields: "nothing",
  loadingDestinations: "nothing",
  linkFailed: "failed",
  linked: "loggedIn",
};

const messages: readonly (readonly [Told, string])[] = (
  [
    ["loggedIn", "logged_in"],
    ["cancelled", "cancelled"],
    ["elsewhere", "elsewhere"],
    ["over", "expired"],
    ["over", "used"],
    ["over", "unknown"],
  ] as const
).map(([told, name]) => [
  told,
  hostedTexts("en")
    [name].split(/\{\w+\}/)
    .find((part) => part.length > 1) ?? "",
]);

const settings = {
  disableJavaScriptFileLoading: true,
  disableCSSFileLoading: true,
  suppressInsecureJavaScriptEnvironmentWarning: true,
};

/** The files of the build by their names, compiled once for all windows. They are modules without imports. */
const scripts = new Map<string, Script>();

async function loadScript(src: string, load: () => Promise<Response>): Promise<Script> {
  const name = src.slice(src.lastIndexOf("/") + 1);
  const script = scripts.get(name) ?? new Script(`(async () => {${await (await load()).text()}\n})()`);
  scripts.set(name, script);
  return script;
}

interface PageWindow {
  readonly document: Document;
  readonly location: { reload(): void; assign(url: string): void };
  readonly happyDOM: { abort(): Promise<void> };
}

/** A browser: it keeps cookies, loads the scripts of a page and runs them in a window without a picture. */
export function createBrowser(network: Network, cookies = new Map<string, string>()): Browser {
  async function send(url: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const all = new Headers(headers);
    all.set("sec-fetch-site", "same-origin");
    if (cookies.size > 0) all.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    if (init.method !== undefined && init.method !== "GET") all.set("origin", new URL(url).origin);
    const response = await network.send(url, { ...init, headers: all });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  async function openTab(url: string, kept: ReadonlyMap<string, string> = new Map()): Promise<Tab> {
    const storage = new Map(kept);
    let current: Window | undefined;
    let leaving = new AbortController();
    let failure: string | undefined;
    let isOnline = true;

    const close = () => {
      leaving.abort();
      void current?.happyDOM.abort();
      current = undefined;
    };
    onTestFinished(close);

    async function load(): Promise<void> {
      close();
      leaving = new AbortController();
      failure = undefined;
      const { signal } = leaving;
      await show(signal).catch((error) => {
        // The page was left before it had come.
        if (!signal.aborted) throw error;
      });
    }

    async function show(signal: AbortSignal): Promise<void> {
      const html = await (await send(url, { signal })).text();
      signal.throwIfAborted();
      const window = new Window({ url, settings: settings as never });
      current = window;
      const page = window as unknown as PageWindow;
      Object.assign(window, {
        Headers,
        Request,
        Response,
        AbortController,
        AbortSignal,
        // Nothing here depends on what something looks like, and happy-dom takes long for it.
        getComputedStyle: () => ({ getPropertyValue: () => "" }),
        // Outlives the window, as that of a tab does. A page that was left learns nothing more, so that it does not ask again.
        fetch: (input: string, { signal: own, ...init }: RequestInit = {}) =>
          send(new URL(input, url).href, { ...init, signal: AbortSignal.any(own ? [signal, own] : [signal]) }).catch(
            (error: unknown) => (signal.aborted ? new Promise<never>(() => {}) : Promise.reject(error)),
          ),
      });
      const define = (holder: object, name: string, descriptor: PropertyDescriptor) =>
        Object.defineProperty(holder, name, { configurable: true, ...descriptor });
      define(window, "sessionStorage", { value: toStorage(storage) });
      define(window.navigator, "onLine", { get: () => isOnline });
      define(page.location, "reload", {
        // Without a connection a browser shows a page of its own.
        value: () => void load().catch(() => undefined),
      });
      page.document.write(html);
      page.document.querySelector("bank-login")?.addEventListener("failure", (event) => {
        failure = (event as CustomEvent<{ code: string }>).detail.code;
      });
      for (const { src } of page.document.querySelectorAll("script")) {
        const script = await loadScript(src, () => send(new URL(src, url).href, { signal }));
        signal.throwIfAborted();
        // From here on the page acts automatically.
        void script.runInContext(window as never);
        // Unlike a browser, happy-dom tells an element that is defined now nothing of the attributes that it has.
        for (const { name, value } of page.document.querySelector("bank-login")?.attributes ?? []) {
          page.document.querySelector("bank-login")?.setAttribute(name, value);
        }
      }
    }

    const find = <Found extends Element>(selector: string): Found | undefined => {
      const page = current as unknown as PageWindow | undefined;
      const root = page?.document.querySelector("bank-login")?.shadowRoot;
      return root?.querySelector<Found>(selector) ?? undefined;
    };
    const press = async (selector: string, presses = 1) => {
      await expect.poll(() => find(selector)?.matches(":not(:disabled, fieldset:disabled *)")).toBe(true);
      const button = find<HTMLElement>(selector);
      for (let count = 0; count < presses; count += 1) button?.click();
    };
    const fill = async (values: Readonly<Record<string, string>>) => {
      for (const [name, value] of Object.entries(values)) {
        const selector = `input[name="${name}"]`;
        await expect.poll(() => find(selector)).toBeDefined();
        const input = find<HTMLInputElement>(selector);
        if (input) input.value = value;
      }
    };

    const tab: Tab = {
      url,
      network,
      told() {
        const page = current as unknown as PageWindow | undefined;
        if (!page) return "nothing";
        const login = page.document.querySelector<HTMLElement & { readonly state?: string }>("bank-login");
        if (login?.state !== undefined) return around[login.state as keyof typeof around] ?? login.state;
        if (page.document.querySelector("#left:not([hidden])")) return "comesBack";
        const text = page.document.body?.textContent ?? "";
        return messages.find(([, words]) => text.includes(words))?.[0] ?? "nothing";
      },
      failure: () => (tab.told() === "failed" ? failure : undefined),
      async submit(form, presses) {
        await fill(form);
        await press('[data-verb="submit"]', presses);
      },
      async answer(text = ANSWER, presses) {
        await fill({ otp: text });
        await press('[data-verb="answer"]', presses);
      },
      choose: () => press("[data-choice]"),
      async cancel() {
        await press('[data-verb="cancelLink"]');
        const page = current as unknown as PageWindow;
        page.document.querySelector<HTMLDialogElement>("dialog[open]")?.close("leave");
      },
      reload: load,
      stored: () => [...storage].join("\n") + JSON.stringify(current?.localStorage ?? {}),
      duplicate: () => openTab(url, storage),
      goOffline() {
        isOnline = false;
      },
      typedPassword: () => find<HTMLInputElement>('input[name="password"]')?.value ?? "",
    };
    await load();
    return tab;
  }
  return { cookies, network, openTab };
}

/** What a page may use of `sessionStorage`. */
export const toStorage = (texts: Map<string, string>) => ({
  getItem: (name: string) => texts.get(name) ?? null,
  setItem: (name: string, text: string) => void texts.set(name, text),
  removeItem: (name: string) => void texts.delete(name),
});
