import { Fragment, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { LinkScreen } from "../../../docs/examples/react/LinkScreen.tsx";
import { LoginScreen } from "../../../docs/examples/react/LoginScreen.tsx";
import { SmallLogin } from "../../../docs/examples/react/SmallLogin.tsx";
import "../../../docs/examples/screen.css";
import { serveScreens } from "../harness.ts";

// In StrictMode a hot reload leaves the effects alone.
const Mode = location.search === "?loose" ? Fragment : StrictMode;

serveScreens((root, { flow, client, provider, detail, username, settings }) => {
  const screen = createRoot(root);
  screen.render(
    <Mode>
      {location.search === "?small" ? (
        <SmallLogin client={client} provider={provider} username={username} />
      ) : flow === "link" ? (
        <LinkScreen client={client} username={username} settings={settings} />
      ) : (
        <LoginScreen client={client} provider={provider} detail={detail} username={username} settings={settings} />
      )}
    </Mode>,
  );
  return () => {
    screen.unmount();
    root.remove();
  };
});
