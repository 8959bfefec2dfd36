import { hydrateRoot } from "react-dom/client";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";
import { ElementPage } from "./element-page.tsx";

window.requests = [];
hydrateRoot(document.querySelector("main") as HTMLElement, <ElementPage client={sandboxClient()} />);
