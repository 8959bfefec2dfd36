import { type Component, createRawSnippet } from "svelte";
import { render } from "svelte/server";
import { get, writable } from "svelte/store";
import type { LinkView, LoginView } from "ventanilla";
import * as library from "ventanilla";
import { useLink, useLogin } from "ventanilla/svelte";
import { vi } from "vitest";
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

testOnServer((hook, client, settings) => {
  const screen = createRawSnippet(() => {
    const view = { useLink, useLogin }[hook](client, { provider: "test", settings });
    return { render: () => `<p>${get<LinkView | LoginView>(view).state}</p>` };
  });
  // On a server a snippet is a component without properties, and nothing is mounted.
  const { body } = render(screen as unknown as Component, {});
  waiting.length = 0;
  return body;
});
