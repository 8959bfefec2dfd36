import { Activity, Fragment, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { LinkScreen } from "../../../../docs/examples/react/LinkScreen.tsx";
import { LoginScreen } from "../../../../docs/examples/react/LoginScreen.tsx";
import { SmallLogin } from "../../../../docs/examples/react/SmallLogin.tsx";
import "../../../../docs/examples/screen.css";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";
import { serveScreens } from "../harness.ts";

// In StrictMode a hot reload leaves the effects alone.
const Mode = location.search === "?loose" ? Fragment : StrictMode;
// React 18 has none.
const Shown = (Activity ?? StrictMode) as typeof Activity;

if (location.search === "?element") {
  const { ElementPage } = await import("./element-page.tsx");
  window.requests = [];
  createRoot(document.body.appendChild(document.createElement("main"))).render(
    <ElementPage client={sandboxClient()} />,
  );
}

serveScreens((root, { flow, ...shown }) => {
  const Screen = location.search === "?small" ? SmallLogin : flow === "link" ? LinkScreen : LoginScreen;
  const screen = createRoot(root);
  window.setMode = (mode) =>
    screen.render(
      <Mode>
        <Shown mode={mode}>
          <Screen {...shown} />
        </Shown>
      </Mode>,
    );
  window.setMode("visible");
  return () => {
    screen.unmount();
    root.remove();
  };
});
