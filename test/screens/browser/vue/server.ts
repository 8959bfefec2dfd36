import { createSSRApp } from "vue";
import { renderToString } from "vue/server-renderer";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";
import LinkScreen from "../../../../docs/examples/vue/LinkScreen.vue";

/** The screen as a server sends it. */
export async function render(): Promise<string> {
  return renderToString(createSSRApp(LinkScreen, { client: sandboxClient() }));
}
