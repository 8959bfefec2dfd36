import { type BankClient, isSecret, type LinkView, type Locale, type LoginView, reveal } from "ventanilla";
import { useLink, useLogin } from "ventanilla/vue";
import { afterEach, describe, expect, test, vi } from "vitest";
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
import { bank } from "./bank.ts";

const person = { username: "12345", password: "gfdsa" };

/** A component that calls the composable, and the views of its instances, the newest last. */
function createScreen<View extends LoginView | LinkView>(use: () => ComputedRef<View>) {
  const views: ComputedRef<View>[] = [];
  const Screen = defineComponent(() => {
    const view = use();
    views.push(view);
    return () => h("section", { "data-step": view.value.step });
  });
  return { Screen, views, step: () => views.at(-1)?.value.step };
}

/** The members of a step; fails at another one. */
function at<View extends LoginView | LinkView, Step extends View["step"]>(view: View | undefined, step: Step) {
  if (view?.step !== step) throw new Error(`At ${view?.step}, not at ${step}.`);
  return view as Extract<View, { step: Step }>;
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

function loginAt(client: BankClient) {
  return createScreen(() => useLogin(client, { provider: "test" }));
}

describe("on a server", () => {
  test("a link shows its first step, and sends and waits for nothing", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    const { client, requests } = bank();
    const { Screen } = createScreen(() => useLink(client, { settings: { deadline: Date.now() + 60_000 } }));
    expect(await renderToString(createSSRApp(Screen))).toBe('<section data-step="loadingProviders"></section>');
    expect(vi.getTimerCount()).toBe(0);
    expect(requests).toEqual([]);
  });

  test("a form that is sent while rendering stays there", async () => {
    const { client, requests } = bank();
    const { Screen } = createScreen(() => {
      const view = useLogin(client, { provider: "test" });
      at(view.value, "enteringCredentials").submit(person);
      return view;
    });
    await renderToString(createSSRApp(Screen));
    expect(requests).toEqual([]);
  });
});

describe("a screen", () => {
  test("that is hidden by KeepAlive goes on", async () => {
    const { client, requests } = bank();
    const { Screen, views, step } = loginAt(client);
    const shown = ref(true);
    mount(() => h(KeepAlive, () => (shown.value ? h(Screen) : h("p"))));
    at(views[0]?.value, "enteringCredentials").submit({ username: "12345otp", password: "asdfg" });
    await expect.poll(step).toBe("answering");
    shown.value = false;
    await nextTick();
    at(views[0]?.value, "answering").answer("8888");
    shown.value = true;
    await expect.poll(step).toBe("loggedIn");
    expect([views.length, requests]).toEqual([1, ["POST /login/", "POST /login/"]]);
  });
});

describe("the options", () => {
  test("change the language while the login goes on", async () => {
    const { client } = bank();
    const locale = ref<Locale>("en");
    const { Screen, views } = createScreen(() => useLogin(client, () => ({ provider: "test", locale: locale.value })));
    mount(Screen);
    const labels = () => at(views[0]?.value, "enteringCredentials").form.fields.map(({ label }) => label);
    const english = labels();
    locale.value = "es";
    expect(labels()).not.toEqual(english);
    expect(labels()).toHaveLength(english.length);
  });

  test("that say how the login behaves are taken once", async () => {
    const { client } = bank();
    const inspected = { first: vi.fn(), second: vi.fn() };
    const options = reactive({ provider: "test", settings: { clientSelection: true }, inspect: inspected.first });
    const { Screen, views, step } = createScreen(() => useLogin(client, options));
    mount(Screen);
    options.settings.clientSelection = false;
    options.inspect = inspected.second;
    at(views[0]?.value, "enteringCredentials").submit(person);
    await expect.poll(step).toBe("loggedIn");
    expect(inspected.first).toHaveBeenCalled();
    expect(inspected.second).not.toHaveBeenCalled();
    const settings = inspected.first.mock.calls.map(([event]) => event.snapshot?.context?.settings).find(Boolean);
    expect(settings).toEqual({ clientSelection: true });
  });
});

describe("a session key", () => {
  test.each([
    ["in the view", (view: LoginView) => view],
    ["in a ref of the screen", (view: LoginView) => ref(view).value as LoginView],
    ["in a reactive object of the screen", (view: LoginView) => reactive({ view }).view as LoginView],
  ])("is still opened %s", async (_where, kept) => {
    const { client } = bank();
    const { Screen, views, step } = loginAt(client);
    mount(Screen);
    at(views[0]?.value, "enteringCredentials").submit(person);
    await expect.poll(step).toBe("loggedIn");
    const { key } = at(kept(at(views[0]?.value, "loggedIn")), "loggedIn");
    expect(isSecret(key)).toBe(true);
    expect(reveal(key)).not.toBe("");
  });
});
