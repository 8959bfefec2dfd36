import { render } from "solid-js/web";
import { LinkScreen } from "../../../docs/examples/solid/LinkScreen.tsx";
import { LoginScreen } from "../../../docs/examples/solid/LoginScreen.tsx";
import "../../../docs/examples/screen.css";
import { serveScreens } from "../harness.ts";

serveScreens((root, { flow, client, provider, detail, username, settings }) => {
  const unmount = render(
    () =>
      flow === "link" ? (
        <LinkScreen client={client} username={username} settings={settings} />
      ) : (
        <LoginScreen client={client} provider={provider} detail={detail} username={username} settings={settings} />
      ),
    root,
  );
  return () => {
    unmount();
    root.remove();
  };
});
