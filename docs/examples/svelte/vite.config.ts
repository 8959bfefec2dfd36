import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { sources } from "../sources.ts";

export default defineConfig({ plugins: [svelte()], resolve: { alias: sources } });
