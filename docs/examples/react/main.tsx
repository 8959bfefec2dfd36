import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { sandboxClient } from "../sandbox-client";
import "../screen.css";
import { LinkScreen } from "./LinkScreen";

const client = sandboxClient();
const settings = { clientSelection: true, sessionReplacement: true, dependentChoices: true };

createRoot(document.body.appendChild(document.createElement("main"))).render(
  <StrictMode>
    <LinkScreen client={client} settings={settings} />
  </StrictMode>,
);
