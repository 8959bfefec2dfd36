import { generateHydrationScript, renderToString } from "solid-js/web";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";
import { LinkScreen } from "../../../../docs/examples/solid/LinkScreen.tsx";

/** The screen as a server sends it, and what the page's head needs for it. */
export async function render(): Promise<[string, string]> {
  return [renderToString(() => <LinkScreen client={sandboxClient()} />), generateHydrationScript()];
}
