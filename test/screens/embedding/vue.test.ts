import type { LoginView } from "ventanilla";
import * as library from "ventanilla";
import { useLink, useLogin } from "ventanilla/vue";
import { expect, test } from "vitest";
import { createRenderer, createSSRApp, defineComponent, h, KeepAlive, nextTick, ref, shallowRef } from "vue";
import { renderToString } from "vue/server-renderer";
import { on } from "../../core/view/screens.ts";
import { openSandbox, testAdapter, testOnServer } from "./adapter-tests.ts";

const createNode = () => ({});
const doNothing = () => {};

/** Vue as in a browser, with nodes that show nothing. */
const { createApp } = createRenderer<object, object>({
  createElement: createNode,
  createText: createNode,
  createComment: createNode,
  insert: doNothing,
  remove: doNothing,
  parentNode: createNode,
  nextSibling: () => null,
  patchProp: doNothing,
  setText: doNothing,
  setElementText: doNothing,
});

/** Mounts what `render` returns. @returns how to unmount it. */
function mountTree(render: () => ReturnType<typeof h>): () => void {
  const app = createApp(render);
  app.mount(createNode());
  return () => app.unmount();
}

function mount<Result>(setUp: () => Result): [Result, () => void] {
  const results: Result[] = [];
  const Screen = defineComponent(() => {
    results.push(setUp());
    return () => h("section");
  });
  const unmount = mountTree(() => h(Screen));
  return [results[0] as Result, unmount];
}

testAdapter(() => ({
  library,
  useLogin: (client, initial) => {
    const options = shallowRef(initial);
    const view = useLogin(client, options);
    return [
      () => view.value,
      (next) => {
        options.value = next;
      },
    ];
  },
  useLink: (client) => {
    const view = useLink(client);
    return () => view.value;
  },
  mount,
}));

testOnServer((hook, client, settings) => {
  const use = { useLink, useLogin }[hook];
  const Screen = defineComponent(() => {
    const view = use(client, { provider: "test", settings });
    return () => h("section", view.value.state);
  });
  return renderToString(createSSRApp(Screen));
});

test("a login that KeepAlive hides goes on", async () => {
  const { client, requests } = openSandbox();
  const views: ReturnType<typeof useLogin>[] = [];
  const Screen = defineComponent(() => {
    views.push(useLogin(client, { provider: "test" }));
    return () => h("section");
  });
  const isShown = ref(true);
  const unmount = mountTree(() => h(KeepAlive, () => (isShown.value ? h(Screen) : h("p"))));
  const readView = () => views.at(-1)?.value as LoginView;
  on(readView(), "idle").submit({ username: "12345otp", password: "asdfg" });
  await expect.poll(() => readView().state).toBe("awaitingInteraction");
  isShown.value = false;
  await nextTick();
  on(readView(), "awaitingInteraction").answer("8888");
  isShown.value = true;
  await expect.poll(() => readView().state).toBe("loggedIn");
  expect(views).toHaveLength(1);
  expect(requests).toEqual(["GET /provider/test/", "POST /login/", "POST /login/"]);
  unmount();
});
