import type { BankClient, LinkView, Locale, LoginScreenOptions, LoginView } from "ventanilla";
import * as ventanilla from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { afterEach, describe, expect, test, vi } from "vitest";
import { on } from "../../core/view/screens.ts";

/** A client of the sandbox, and its requests. @param createBankClient of another copy of ventanilla. */
export function openSandbox(createBankClient = ventanilla.createBankClient) {
  const sandbox = createSandbox();
  const requests: string[] = [];
  const client = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => {
      const request = new Request(input, init);
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return sandbox(request);
    },
  });
  return { client, requests };
}

/** An adapter in its framework. */
interface Adapter {
  /** The copy of ventanilla that the adapter uses. */
  readonly library: typeof ventanilla;
  /** `useLogin` with options that can be replaced. */
  useLogin(client: BankClient, options: LoginScreenOptions): [() => LoginView, (options: LoginScreenOptions) => void];
  useLink(client: BankClient): () => LinkView;
  /** Mounts a component with this set-up. @returns the result of the set-up, and how to unmount. */
  mount<Result>(setUp: () => Result): [Result, () => void];
}

/** What an adapter does in a browser, in every framework. */
export function testAdapter(findAdapter: () => Adapter): void {
  test("a link reads the banks when it is mounted, and not during the set-up", async () => {
    const { library, useLink, mount } = findAdapter();
    const { client, requests } = openSandbox(library.createBankClient);
    const [[view, before], unmount] = mount(() => [useLink(client), [...requests]] as const);
    expect(before).toEqual([]);
    await expect.poll(() => view().state).toBe("choosingProvider");
    expect(requests).toEqual(["GET /provider/"]);
    unmount();
  });

  test("a login follows the locale in each step, up to a key that can be revealed", async () => {
    const { library, useLogin, mount } = findAdapter();
    const { client, requests } = openSandbox(library.createBankClient);
    const localized = (locale: Locale) => ({ provider: "test", locale });
    const [[view, setOptions], unmount] = mount(() => useLogin(client, localized("en")));
    const readLabel = () => on(view(), "idle").form.fields[1]?.label;
    expect(readLabel()).toBe("Password");
    setOptions(localized("es"));
    expect(readLabel()).toBe("Contraseña");
    on(view(), "idle").submit({ username: "12345otp", password: "asdfg" });
    await expect.poll(() => view().state).toBe("awaitingInteraction");
    expect(on(view(), "awaitingInteraction").question.field.label).toBe("Código de verificación");
    setOptions(localized("en"));
    expect(on(view(), "awaitingInteraction").question.field.label).toBe("One-time code");
    on(view(), "awaitingInteraction").answer("8888");
    await expect.poll(() => view().state).toBe("loggedIn");
    const { key } = on(view(), "loggedIn");
    expect(library.reveal(key)).toMatch(/./);
    expect(requests).toEqual(["GET /provider/test/", "POST /login/", "POST /login/"]);
    unmount();
  });

  test("a login goes on where its page was left, once it is mounted", async () => {
    const { library, useLogin, mount } = findAdapter();
    const question = { status: "interaction_required", key: "step-1", field: "otp", context: "A code", number: 1 };
    const requests: string[] = [];
    const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
      requests.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return Response.json(question, { headers: { "x-ventanilla": "users", "x-ventanilla-submit": "1" } });
    };
    const client = library.createRelayClient({ baseUrl: "http://relay.test", fetch });
    const text = JSON.stringify({ version: 2, id: "a-login", token: "t".repeat(43), number: 1, provider: "test" });
    const keep = { getItem: () => text, setItem: vi.fn(), removeItem: vi.fn() };
    const [[view, before], unmount] = mount(() => {
      const [view] = useLogin(client, { provider: "test", keep });
      return [view, view().state] as const;
    });
    // As a server renders it.
    expect(before).toBe("idle");
    await expect.poll(() => view().state).toBe("awaitingInteraction");
    expect(on(view(), "awaitingInteraction").question.text).toBe("A code");
    unmount();
    expect(requests).toContain("GET /submit/");
    expect(requests).not.toContain("POST /login/");
    expect(keep.removeItem).not.toHaveBeenCalled();
  });

  test("a login reads `settings` and `inspect` once", () => {
    const { library, useLogin, mount } = findAdapter();
    const { client } = openSandbox(library.createBankClient);
    const [inspect, later] = [vi.fn(), vi.fn()];
    const settings = { sessionReplacement: true };
    const [[view], unmount] = mount(() => {
      const login = useLogin(client, { provider: "test", settings, inspect });
      const [, setOptions] = login;
      setOptions({ provider: "test", settings: { sessionReplacement: false }, inspect: later });
      settings.sessionReplacement = false;
      return login;
    });
    on(view(), "idle");
    expect(later).not.toHaveBeenCalled();
    const inputs = inspect.mock.calls.map(([event]) => event.event?.input).filter((input) => input !== undefined);
    expect(new Set(inputs.map((input) => JSON.stringify(input)))).toEqual(new Set(['{"sessionReplacement":true}']));
    unmount();
  });
}

/** What an adapter does on a server, in every framework. @param render returns the HTML of a screen. */
export function testOnServer(
  render: (
    name: "useLink" | "useLogin",
    client: BankClient,
    settings: { deadline: number },
  ) => string | Promise<string>,
): void {
  describe("on a server", () => {
    afterEach(() => {
      vi.useRealTimers();
    });

    test.each([
      ["useLink", "loadingProviders"],
      ["useLogin", "idle"],
    ] as const)("%s renders its first step, and starts neither a request nor a timer", async (name, step) => {
      const { client, requests } = openSandbox();
      vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
      const rendered = render(name, client, { deadline: Date.now() + 60_000 });
      // Counted before anything is awaited: whatever else runs in this process sets timers in its clock as well. Solid has one of its own, for at once.
      vi.advanceTimersByTime(1);
      const timers = vi.getTimerCount();
      expect(await rendered).toContain(step);
      expect(timers).toBe(0);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(requests).toEqual([]);
    });
  });
}
