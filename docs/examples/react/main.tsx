import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../screen.css";
import { props, target } from "../set-up";
import { LinkScreen } from "./LinkScreen";

createRoot(target).render(
  <StrictMode>
    <LinkScreen {...props} />
  </StrictMode>,
);
