import { hydrate } from "solid-js/web";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";
import { LinkScreen } from "../../../../docs/examples/solid/LinkScreen.tsx";

hydrate(() => <LinkScreen client={sandboxClient()} />, document.querySelector("main") as HTMLElement);
