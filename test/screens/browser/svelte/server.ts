import { render as renderComponent } from "svelte/server";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";
import LinkScreen from "../../../../docs/examples/svelte/LinkScreen.svelte";

/** The screen as a server sends it. */
export async function render(): Promise<[body: string, head: string]> {
  const { body, head } = await renderComponent(LinkScreen, { props: { client: sandboxClient() } });
  return [body, head];
}
