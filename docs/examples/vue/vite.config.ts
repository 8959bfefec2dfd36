import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";
import { sources } from "../sources.ts";

export default defineConfig({ plugins: [vue()], resolve: { alias: sources } });
