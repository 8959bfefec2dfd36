import { createApp } from "vue";
import LinkScreen from "../../../../docs/examples/vue/LinkScreen.vue";
import LoginScreen from "../../../../docs/examples/vue/LoginScreen.vue";
import "../../../../docs/examples/screen.css";
import { serveScreens } from "../harness.ts";

serveScreens((root, { flow, provider, detail, ...shown }) => {
  const screen =
    flow === "link" ? createApp(LinkScreen, shown) : createApp(LoginScreen, { ...shown, provider, detail });
  screen.mount(root);
  return () => {
    screen.unmount();
    root.remove();
  };
});
