import { createApp } from "vue";
import "../screen.css";
import { props, target } from "../set-up.ts";
import LinkScreen from "./LinkScreen.vue";

createApp(LinkScreen, props).mount(target);
