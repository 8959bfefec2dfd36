import { createRoot } from "react-dom/client";
import "../screen.css";
import { props, target } from "../set-up";
import { SmallLogin } from "./SmallLogin";

createRoot(target).render(<SmallLogin client={props.client} provider="test" />);
