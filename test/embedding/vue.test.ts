import { isSecret, type LinkView, type Locale, type LoginView, reveal } from "ventanilla";
import { useLink, useLogin } from "ventanilla/vue";
import { afterEach, expect, test, vi } from "vitest";
import {
  type Component,
  type ComputedRef,
  createRenderer,
  createSSRApp,
  defineComponent,
  h,
  KeepAlive,
  nextTick,
  reactive,
  ref,
  type VNode,
} from "vue";
import { renderToString } from "vue/server-renderer";
import { on } from "../view/screens.ts";
import { bank } from "./bank.ts";

const person = { username: "12345", password: "gfdsa" };

/** A component that calls the composable, and the views of its instances. */
function createScreen<View extends LoginView | LinkView>(use: () => ComputedRef<View>) {
  const views: ComputedRef<View>[] = [];
  const Screen = defineComponent(() => {
    const view = use();
    views.push(view);
    return () => h("section", { "data-step": view.value.step });
  });
  const look = () => views.at(-1)?.value as View;
  return { Screen, views, look };
}

interface Node {
  parent: Node | null;
  children: Node[];
}

const node = (): Node => ({ parent: null, children: [] });
const remove = (child: Node) => {
  const siblings = child.parent?.children ?? [];
  if (siblings.includes(child)) siblings.splice(siblings.indexOf(child), 1);
};

/** Vue as in a browser, on nodes that show nothing. */
const { createApp } = createRenderer<Node, Node>({
  createElement: node,
  createText: node,
  createComment: node,
  insert: (child, parent, anchor) => {
    remove(child);
    child.parent = parent;
    parent.children.splice(anchor ? parent.children.indexOf(anchor) : parent.children.length, 0, child);
  },
  remove,
  parentNode: ({ parent }) => parent,
  nextSibling: (child) => child.parent?.children[child.parent.children.indexOf(child) + 1] ?? null,
  patchProp: () => {},
  setText: () => {},
  setElementText: () => {},
});

const mounted: { unmount(): void }[] = [];
function mount(component: Component | (() => VNode)) {
  const app = createApp(component);
  app.mount(node());
  mounted.push(app);
  return app;
}
afterEach(() => {
  vi.useRealTimers();
  for (const app of mounted.splice(0)) app.unmount();
});

test("on a server a link shows its first step, and sends and waits for nothing", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  const { client, requests } = bank();
  const { Screen } = createScreen(() => useLink(client, { settings: { deadline: Date.now() + 60_000 } }));
  expect(await renderToString(createSSRApp(Screen))).toBe('<section data-step="loadingProviders"></section>');
  expect(vi.getTimerCount()).toBe(0);
  expect(requests).toEqual([]);
});

test("a form that is sent while rendering on a server stays there", async () => {
  const { client, requests } = bank();
  const { Screen } = createScreen(() => {
    const view = useLogin(client, { provider: "test" });
    on(view.value, "enteringCredentials").submit(person);
    return view;
  });
  await renderToString(createSSRApp(Screen));
  expect(requests).toEqual([]);
});

test("a screen that is hidden by KeepAlive goes on", async () => {
  const { client, requests } = bank();
  const { Screen, views, look } = createScreen(() => useLogin(client, { provider: "test" }));
  const shown = ref(true);
  mount(() => h(KeepAlive, () => (shown.value ? h(Screen) : h("p"))));
  on(look(), "enteringCredentials").submit({ username: "12345otp", password: "asdfg" });
  await expect.poll(() => look().step).toBe("answering");
  shown.value = false;
  await nextTick();
  on(look(), "answering").answer("8888");
  shown.value = true;
  await expect.poll(() => look().step).toBe("loggedIn");
  expect([views.length, requests]).toEqual([1, ["POST /login/", "POST /login/"]]);
});

test("the language is followed", () => {
  const locale = ref<Locale>("en");
  const options = () => ({ provider: "test", locale: locale.value });
  const { Screen, look } = createScreen(() => useLogin(bank().client, options));
  mount(Screen);
  const label = () => on(look(), "enteringCredentials").form.fields[1]?.label;
  expect(label()).toBe("Password");
  locale.value = "es";
  expect(label()).toBe("Contraseña");
});

test("settings and inspection are taken once", async () => {
  const [first, later] = [vi.fn(), vi.fn()];
  const options = reactive({ provider: "test", settings: { clientSelection: true }, inspect: first });
  const { Screen, look } = createScreen(() => useLogin(bank().client, options));
  mount(Screen);
  options.settings.clientSelection = false;
  options.inspect = later;
  on(look(), "enteringCredentials").submit(person);
  await expect.poll(() => look().step).toBe("loggedIn");
  expect(later).not.toHaveBeenCalled();
  const settings = first.mock.calls.map(([event]) => event.snapshot?.context?.settings).find(Boolean);
  expect(settings).toEqual({ clientSelection: true });
});

test.each([
  ["the view", (view: LoginView) => view],
  ["a ref of the screen", (view: LoginView) => ref(view).value as LoginView],
  ["a reactive object of the screen", (view: LoginView) => reactive({ view }).view as LoginView],
])("a session key is still opened in %s", async (_where, kept) => {
  const { Screen, look } = createScreen(() => useLogin(bank().client, { provider: "test" }));
  mount(Screen);
  on(look(), "enteringCredentials").submit(person);
  await expect.poll(() => look().step).toBe("loggedIn");
  const { key } = on(kept(look()), "loggedIn");
  expect([isSecret(key), reveal(key)]).toEqual([true, expect.stringMatching(/./)]);
});
