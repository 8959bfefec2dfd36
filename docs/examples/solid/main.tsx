import { render } from "solid-js/web";
import { sandboxClient } from "../sandbox-client.ts";
import "../screen.css";
import { LinkScreen } from "./LinkScreen.tsx";

const client = sandboxClient();
const settings = { clientSelection: true, sessionReplacement: true, dependentChoices: true };

render(
  () => <LinkScreen client={client} settings={settings} />,
  document.body.appendChild(document.createElement("main")),
);
