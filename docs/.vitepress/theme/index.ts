import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import LiveLogin from "./LiveLogin.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component("LiveLogin", LiveLogin),
} satisfies Theme;
