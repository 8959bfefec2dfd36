import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { LinkScreen } from "../../../../docs/examples/react/LinkScreen.tsx";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";

hydrateRoot(
  document.querySelector("main") as HTMLElement,
  <StrictMode>
    <LinkScreen client={sandboxClient()} />
  </StrictMode>,
);
