import { mount, unmount } from "svelte";
import LinkScreen from "../../../../docs/examples/svelte/LinkScreen.svelte";
import LoginScreen from "../../../../docs/examples/svelte/LoginScreen.svelte";
import "../../../../docs/examples/screen.css";
import { serveScreens } from "../harness.ts";

serveScreens((target, { flow, ...props }) => {
  const screen = flow === "link" ? mount(LinkScreen, { target, props }) : mount(LoginScreen, { target, props });
  return async () => {
    await unmount(screen);
    target.remove();
  };
});
