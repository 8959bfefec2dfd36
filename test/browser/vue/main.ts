import { createApp } from "vue";
import LinkScreen from "../../../docs/examples/vue/LinkScreen.vue";
import LoginScreen from "../../../docs/examples/vue/LoginScreen.vue";
import "../../../docs/examples/screen.css";
import { serveScreens } from "../harness.ts";

serveScreens((root, { flow, client, provider, detail, username, settings }) => {
  const screen =
    flow === "link"
      ? createApp(LinkScreen, { client, username, settings })
      : createApp(LoginScreen, { client, provider, detail, username, settings });
  screen.mount(root);
  return () => {
    screen.unmount();
    root.remove();
  };
});
