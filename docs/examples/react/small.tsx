import { createRoot } from "react-dom/client";
import { sandboxClient } from "../sandbox-client";
import "../screen.css";
import { SmallLogin } from "./SmallLogin";

createRoot(document.body.appendChild(document.createElement("main"))).render(
  <SmallLogin client={sandboxClient()} provider="test" />,
);
