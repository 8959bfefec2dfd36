import { render } from "solid-js/web";
import "../screen.css";
import { props, target } from "../set-up.ts";
import { LinkScreen } from "./LinkScreen.tsx";

render(() => <LinkScreen {...props} />, target);
