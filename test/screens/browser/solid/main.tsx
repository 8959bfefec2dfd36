import { Dynamic, render } from "solid-js/web";
import { LinkScreen } from "../../../../docs/examples/solid/LinkScreen.tsx";
import { LoginScreen } from "../../../../docs/examples/solid/LoginScreen.tsx";
import "../../../../docs/examples/screen.css";
import { serveScreens } from "../harness.ts";

serveScreens((root, { flow, ...shown }) => {
  const unmount = render(() => <Dynamic component={flow === "link" ? LinkScreen : LoginScreen} {...shown} />, root);
  return () => {
    unmount();
    root.remove();
  };
});
