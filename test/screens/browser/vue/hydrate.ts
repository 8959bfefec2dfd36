import { createSSRApp } from "vue";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";
import LinkScreen from "../../../../docs/examples/vue/LinkScreen.vue";

createSSRApp(LinkScreen, { client: sandboxClient() }).mount("main");
