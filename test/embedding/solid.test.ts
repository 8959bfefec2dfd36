import { fileURLToPath } from "node:url";
import { renderToString } from "solid-js/web";
import type * as onServer from "ventanilla";
import type { Locale } from "ventanilla";
import { useLink, useLogin } from "ventanilla/solid";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { sources } from "../../docs/examples/sources.ts";
import { on } from "../view/screens.ts";
import { bank } from "./bank.ts";

describe("on a server", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ["useLink", "loadingProviders", useLink],
    ["useLogin", "enteringCredentials", useLogin],
  ] as const)("%s renders its first step, and starts neither a request nor a timer", async (_name, step, use) => {
    const { client, requests } = bank();
    vi.useFakeTimers();
    expect(renderToString(() => use(client, { provider: "test" })().step)).toBe(step);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(requests).toEqual([]);
  });
});

// Node's own import of Solid is the one that renders on a server: what browsers get has to be asked for.
describe("in a browser", () => {
  let server: ViteDevServer;
  let solid: typeof import("solid-js");
  let ventanilla: typeof onServer;
  let adapter: typeof import("ventanilla/solid");
  beforeAll(async () => {
    server = await createServer({
      configFile: false,
      root: fileURLToPath(new URL("../../", import.meta.url)),
      logLevel: "error",
      appType: "custom",
      optimizeDeps: { noDiscovery: true },
      resolve: { alias: sources },
      ssr: { noExternal: ["solid-js", "@xstate/solid"], resolve: { conditions: ["browser", "module"] } },
      server: { middlewareMode: true, ws: false, watch: null },
    });
    const load = async <Module>(name: string) => (await server.ssrLoadModule(name)) as Module;
    solid = await load("solid-js");
    ventanilla = await load("ventanilla");
    adapter = await load("ventanilla/solid");
  });
  afterAll(() => server.close());

  /** Mounts a screen: what it uses, and how to take it away. */
  const mount = <Used>(use: () => Used): [Used, () => void] => solid.createRoot((leave) => [use(), leave]);

  test("asks for the banks when the screen is mounted, and not while it is set up", async () => {
    const { client, requests } = bank(ventanilla.createBankClient);
    const [[view, before], leave] = mount(() => [adapter.useLink(client), [...requests]] as const);
    expect(before).toEqual([]);
    await expect.poll(() => view().step).toBe("choosingProvider");
    expect(requests).toEqual(["GET /provider/"]);
    leave();
  });

  test.each(["an accessor", "props"])("follows the locale of %s, and goes on to a key that opens", async (form) => {
    const { client, requests } = bank(ventanilla.createBankClient);
    const [locale, setLocale] = solid.createSignal<Locale>("en");
    const props = {
      provider: "test",
      get locale() {
        return locale();
      },
    };
    const [view, leave] = mount(() => adapter.useLogin(client, form === "props" ? props : () => ({ ...props })));
    const label = () => on(view(), "enteringCredentials").form.fields[1]?.label;
    expect(label()).toBe("Password");
    setLocale("es");
    expect(label()).toBe("Contraseña");
    on(view(), "enteringCredentials").submit({ username: "12345otp", password: "asdfg" });
    await expect.poll(() => view().step).toBe("answering");
    setLocale("pt");
    on(view(), "answering").answer("8888");
    await expect.poll(() => view().step).toBe("loggedIn");
    const { key } = on(view(), "loggedIn");
    expect([ventanilla.isSecret(key), ventanilla.reveal(key)]).toEqual([true, expect.stringMatching(/./)]);
    expect(requests).toEqual(["POST /login/", "POST /login/"]);
    leave();
  });

  test("takes settings and inspection once, and does not make its caller follow them", () => {
    const [inspect, later] = [vi.fn(), vi.fn()];
    const [options, setOptions] = solid.createSignal({ settings: { clientSelection: true }, inspect });
    const setUps = vi.fn();
    const [, leave] = mount(() =>
      solid.createMemo(() => {
        setUps();
        adapter.useLink(bank(ventanilla.createBankClient).client, options);
      }),
    );
    expect(inspect).toHaveBeenCalled();
    setOptions({ settings: { clientSelection: false }, inspect: later });
    expect(setUps).toHaveBeenCalledTimes(1);
    expect(later).not.toHaveBeenCalled();
    leave();
  });
});
