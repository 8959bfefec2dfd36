import { mount } from "svelte";
import "../screen.css";
import { props, target } from "../set-up.ts";
import LinkScreen from "./LinkScreen.svelte";

mount(LinkScreen, { target, props });
