import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { LinkScreen } from "../../../../docs/examples/react/LinkScreen.tsx";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";

/** The screen as a server sends it. */
export async function render(): Promise<string> {
  return renderToString(
    <StrictMode>
      <LinkScreen client={sandboxClient()} />
    </StrictMode>,
  );
}
