import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Component } from "svelte";
import { get, writable } from "svelte/store";
import * as library from "ventanilla";
import { useLink, useLogin } from "ventanilla/svelte";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, vi } from "vitest";
import { testAdapter, testOnServer } from "./adapter-tests.ts";

// Without a browser Svelte mounts nothing, so `mount` calls what waits to be mounted.
const waiting = vi.hoisted(() => [] as (() => () => void)[]);
vi.mock("svelte", async (original) => ({
  ...(await original<typeof import("svelte")>()),
  onMount: (mounted: () => () => void) => waiting.push(mounted),
}));

testAdapter(() => ({
  library,
  useLogin: (client, initial) => {
    const options = writable(initial);
    const view = useLogin(client, options);
    return [() => get(view), options.set];
  },
  useLink: (client) => {
    const view = useLink(client);
    return () => get(view);
  },
  mount: (setUp) => {
    const result = setUp();
    const unmounts = waiting.splice(0).map((mounted) => mounted());
    return [result, () => void unmounts.map((unmount) => unmount())];
  },
}));

let server: ViteDevServer;
let render: typeof import("svelte/server").render;
let screens: Readonly<Record<"useLink" | "useLogin", Component<object>>>;
beforeAll(async () => {
  const root = fileURLToPath(new URL("../../../docs/examples/svelte/", import.meta.url));
  server = await createServer({
    configFile: `${root}vite.config.ts`,
    root,
    logLevel: "error",
    appType: "custom",
    cacheDir: await mkdtemp(join(tmpdir(), "ventanilla-svelte-")),
    server: { middlewareMode: true, ws: false, watch: null },
  });
  ({ render } = (await server.ssrLoadModule("svelte/server")) as typeof import("svelte/server"));
  const load = async (name: string) => (await server.ssrLoadModule(name))["default"];
  screens = { useLink: await load("/LinkScreen.svelte"), useLogin: await load("/LoginScreen.svelte") };
});
afterAll(() => server.close());

testOnServer((hook, client, settings) => render(screens[hook], { props: { client, provider: "test", settings } }).body);
