import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { sources } from "../sources.ts";

export default defineConfig({ plugins: [react()], resolve: { alias: sources } });
