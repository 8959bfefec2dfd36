import { createApp } from "vue";
import { sandboxClient } from "../sandbox-client.ts";
import "../screen.css";
import LinkScreen from "./LinkScreen.vue";

const client = sandboxClient();
const settings = { clientSelection: true, sessionReplacement: true, dependentChoices: true };

createApp(LinkScreen, { client, settings }).mount(document.body.appendChild(document.createElement("main")));
