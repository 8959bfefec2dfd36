import { mount } from "svelte";
import { sandboxClient } from "../sandbox-client.ts";
import "../screen.css";
import LinkScreen from "./LinkScreen.svelte";

mount(LinkScreen, {
  target: document.body.appendChild(document.createElement("main")),
  props: {
    client: sandboxClient(),
    settings: { clientSelection: true, sessionReplacement: true, dependentChoices: true },
  },
});
