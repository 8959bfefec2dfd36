import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { sources } from "../sources.ts";

export default defineConfig({
  // Markup that a server can render and a browser can hydrate; without a server, leave `ssr` out.
  plugins: [solid({ ssr: true })],
  resolve: { alias: sources },
});
