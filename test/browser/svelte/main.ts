import { mount, unmount } from "svelte";
import LinkScreen from "../../../docs/examples/svelte/LinkScreen.svelte";
import LoginScreen from "../../../docs/examples/svelte/LoginScreen.svelte";
import "../../../docs/examples/screen.css";
import { serveScreens } from "../harness.ts";

serveScreens((target, { flow, client, provider, detail, username, settings }) => {
  const screen =
    flow === "link"
      ? mount(LinkScreen, { target, props: { client, username, settings } })
      : mount(LoginScreen, { target, props: { client, provider, detail, username, settings } });
  return async () => {
    await unmount(screen);
    target.remove();
  };
});
