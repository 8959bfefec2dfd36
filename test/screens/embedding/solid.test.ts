import { fileURLToPath } from "node:url";
import { renderToString } from "solid-js/web";
import type * as onServer from "ventanilla";
import type { Locale } from "ventanilla";
import { useLink, useLogin } from "ventanilla/solid";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sources } from "../../../docs/examples/sources.ts";
import { on } from "../../core/view/screens.ts";
import { openSandbox, testAdapter, testOnServer } from "./adapter-tests.ts";

testOnServer((hook, client, settings) => {
  const use = { useLink, useLogin }[hook];
  return renderToString(() => use(client, { provider: "test", settings })().state);
});

// Node imports the part of Solid that renders on a server. The one for browsers has to be loaded on purpose.
describe("in a browser", () => {
  let server: ViteDevServer;
  let solid: typeof import("solid-js");
  let library: typeof onServer;
  let adapter: typeof import("ventanilla/solid");
  beforeAll(async () => {
    server = await createServer({
      configFile: false,
      root: fileURLToPath(new URL("../../../", import.meta.url)),
      logLevel: "error",
      appType: "custom",
      optimizeDeps: { noDiscovery: true },
      resolve: { alias: sources },
      ssr: { noExternal: ["solid-js"], resolve: { conditions: ["browser", "module"] } },
      server: { middlewareMode: true, ws: false, watch: null },
    });
    const load = async <Module>(name: string) => (await server.ssrLoadModule(name)) as Module;
    solid = await load("solid-js");
    library = await load("ventanilla");
    adapter = await load("ventanilla/solid");
  });
  afterAll(() => server.close());

  const mount = <Result>(setUp: () => Result): [Result, () => void] =>
    solid.createRoot((dispose) => [setUp(), dispose]);

  testAdapter(() => ({
    library,
    useLogin: (client, initial) => {
      const [options, setOptions] = solid.createSignal(initial);
      return [adapter.useLogin(client, options), (next) => setOptions(next)];
    },
    useLink: adapter.useLink,
    mount,
  }));

  test("a login follows the locale of props", () => {
    const [locale, setLocale] = solid.createSignal<Locale>("en");
    const props = {
      provider: "test",
      get locale() {
        return locale();
      },
    };
    const { client } = openSandbox(library.createBankClient);
    const [view, unmount] = mount(() => adapter.useLogin(client, props));
    setLocale("es");
    expect(on(view(), "idle").form.fields[1]?.label).toBe("Contraseña");
    unmount();
  });

  test("a component is not set up again when its options change", () => {
    const [options, setOptions] = solid.createSignal({ settings: { clientSelection: true } });
    const setUp = vi.fn(() => adapter.useLink(openSandbox(library.createBankClient).client, options));
    const [, unmount] = mount(() => solid.createMemo(setUp));
    setOptions({ settings: { clientSelection: false } });
    expect(setUp).toHaveBeenCalledTimes(1);
    unmount();
  });
});
