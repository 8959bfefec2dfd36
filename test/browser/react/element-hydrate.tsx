import { createRoot, hydrateRoot } from "react-dom/client";
import { sandboxClient } from "../../../docs/examples/sandbox-client.ts";
import { ElementPage } from "./element-page.tsx";

window.requests = [];
const main = document.querySelector("main") as HTMLElement;
const page = <ElementPage client={sandboxClient()} />;
if (location.search === "?create") createRoot(main).render(page);
else hydrateRoot(main, page);
