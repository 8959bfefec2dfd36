import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { sources } from "../sources.ts";

export default defineConfig({
  // Markup that a server can render and a browser can take up; without a server of yours, leave `ssr` out.
  plugins: [solid({ ssr: true })],
  resolve: { alias: sources },
});
