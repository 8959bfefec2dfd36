import { hydrate } from "svelte";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";
import LinkScreen from "../../../../docs/examples/svelte/LinkScreen.svelte";

hydrate(LinkScreen, {
  target: document.querySelector("main") as HTMLElement,
  props: { client: sandboxClient() },
});
