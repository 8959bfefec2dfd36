import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { bundledPackages } from "../../../bundled-packages.ts";
import { layOut } from "./chart-layout.ts";
import { charts } from "./charts.ts";
import { toDrawing } from "./drawing.ts";

// Builds files that are shipped ready-made: dist/viewer/index.html, one file that needs no network, and the
// pictures of the statecharts in dist/diagrams.

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function statecharts(): Plugin {
  const layouts = Promise.all(
    charts.map(async (chart) => ({ ...chart, laidOut: await layOut(chart.machine, chart.layout) })),
  );
  const draw = async (style?: string) =>
    (await layouts).map(({ machine, laidOut, title }) => ({
      id: machine.id,
      svg: toDrawing(machine, laidOut, { title, ...(style && { style }) }),
    }));
  return {
    name: "statecharts",
    transformIndexHtml: {
      order: "pre",
      handler: async (page) => {
        const drawings = await draw();
        return page.replace("<!-- statecharts -->", () => drawings.map(({ svg }) => svg).join(""));
      },
    },
    async generateBundle() {
      const style = await readFile(folder("./drawing.css"), "utf8");
      for (const { id, svg } of await draw(style)) {
        this.emitFile({ type: "asset", fileName: `diagrams/${id}.svg`, source: svg });
      }
    },
  };
}

/** Inserts script and style into the page, and their hashes into its policy. */
function oneFile(): Plugin {
  const toHash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return {
    name: "one-file",
    enforce: "post",
    generateBundle: {
      // After the plugin that lists the script's packages.
      order: "post",
      handler(_, bundle) {
        const files = Object.values(bundle);
        const page = files.find(({ fileName }) => fileName.endsWith("index.html"));
        const script = files.find((file) => file.type === "chunk");
        const style = files.find(({ fileName }) => fileName.endsWith(".css"));
        if (page?.type !== "asset" || script?.type !== "chunk" || style?.type !== "asset") {
          throw new Error("The viewer is one page with one script and one style sheet.");
        }
        const code = script.code.trim().replaceAll("</script", "<\\/script");
        const sheet = String(style.source).trim();
        const policy = [
          "default-src 'none'",
          `script-src ${toHash(code)}`,
          `style-src ${toHash(sheet)}`,
          // Only servers on this machine.
          "connect-src ws://127.0.0.1:* ws://localhost:*",
          "base-uri 'none'",
          "form-action 'none'",
        ].join("; ");
        const text = String(page.source)
          .replace(/<script type="module"[^>]*><\/script>/, "")
          .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${sheet}</style>`)
          .replace("<!-- policy -->", `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
          .replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
        for (const { fileName } of [page, script, style]) delete bundle[fileName];
        this.emitFile({ type: "asset", fileName: "viewer/index.html", source: text });
      },
    },
  };
}

export default defineConfig({
  root: folder("."),
  logLevel: "warn",
  plugins: [
    statecharts(),
    bundledPackages({ notices: "viewer/THIRD-PARTY-LICENSES.txt", bom: "viewer/sbom.cdx.json" }),
    oneFile(),
  ],
  build: {
    outDir: folder("../../../../dist"),
    // Keeps the compiler's output.
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    target: "es2022",
  },
});
