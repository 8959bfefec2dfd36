import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { get, writable } from "svelte/store";
import type { BankClient, Locale } from "ventanilla";
import { useLink, useLogin } from "ventanilla/svelte";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { on } from "../view/screens.ts";
import { bank } from "./bank.ts";

// Without a browser nothing is ever mounted: the tests do it.
const waiting = vi.hoisted(() => [] as (() => () => void)[]);
vi.mock("svelte", async (original) => ({
  ...(await original<typeof import("svelte")>()),
  onMount: (mounted: () => () => void) => waiting.push(mounted),
}));

/** Mounts what was set up, and says how to take it away again. */
function mount(): () => void {
  const unmounts = waiting.splice(0).map((mounted) => mounted());
  return () => {
    for (const unmount of unmounts) unmount();
  };
}

beforeEach(() => waiting.splice(0));

test("the language is followed, and what is under way goes on", async () => {
  const options = writable<{ provider: string; locale: Locale }>({ provider: "test", locale: "en" });
  const view = useLogin(bank().client, options);
  const unmount = mount();
  const labels: (string | undefined)[] = [];
  const unsubscribe = view.subscribe((next) => labels.push("form" in next ? next.form.fields[1]?.label : next.step));
  options.set({ provider: "test", locale: "es" });
  expect(labels).toEqual(["Password", "Contraseña"]);
  on(get(view), "enteringCredentials").submit({ username: "12345otp", password: "asdfg" });
  await expect.poll(() => get(view).step).toBe("answering");
  options.set({ provider: "test", locale: "pt" });
  expect(get(view).step).toBe("answering");
  unsubscribe();
  unmount();
});

test("settings and inspection are taken once", () => {
  const [first, later] = [vi.fn(), vi.fn()];
  const settings = { sessionReplacement: true };
  const options = writable({ provider: "test", settings, inspect: first });
  const view = useLogin(bank().client, options);
  options.set({ provider: "test", settings: { sessionReplacement: false }, inspect: later });
  settings.sessionReplacement = false;
  const unmount = mount();
  on(get(view), "enteringCredentials");
  expect(later).not.toHaveBeenCalled();
  const inputs = first.mock.calls.map(([event]) => event.event?.input).filter((input) => input !== undefined);
  expect(new Set(inputs.map((input) => JSON.stringify(input)))).toEqual(new Set(['{"sessionReplacement":true}']));
  unmount();
});

test("a link asks for the banks when it is mounted, and for nothing before", async () => {
  const { client, requests } = bank();
  const view = useLink(client);
  expect(get(view).step).toBe("loadingProviders");
  expect(requests).toEqual([]);
  const unmount = mount();
  await expect.poll(() => get(view).step).toBe("choosingProvider");
  expect(requests).toEqual(["GET /provider/"]);
  unmount();
});

describe("on a server", () => {
  let server: ViteDevServer;
  beforeAll(async () => {
    const root = fileURLToPath(new URL("../../docs/examples/svelte/", import.meta.url));
    server = await createServer({
      configFile: `${root}vite.config.ts`,
      root,
      logLevel: "error",
      appType: "custom",
      cacheDir: await mkdtemp(join(tmpdir(), "ventanilla-svelte-")),
      server: { middlewareMode: true, ws: false, watch: null },
    });
  });
  afterAll(() => server.close());
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ["LinkScreen", "loadingProviders"],
    ["LoginScreen", "enteringCredentials"],
  ])("%s is rendered, and starts neither a request nor a timer", async (name, step) => {
    const { render } = await server.ssrLoadModule("svelte/server");
    const { default: screen } = await server.ssrLoadModule(`/${name}.svelte`);
    const { client, requests } = bank();
    const props: { client: BankClient; provider: string } = { client, provider: "test" };
    vi.useFakeTimers();
    const { body } = render(screen, { props });
    expect(body).toContain(`data-step="${step}"`);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(requests).toEqual([]);
  });
});
