import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };

/** In this repository the examples and tests run on the sources. Your project installs the package and needs none of this. */
export const sources = Object.entries(manifest.exports).flatMap(([path, target]) => {
  if (typeof target === "string") return [];
  const source = target.default.replace("./dist/", "../../").replace(/\.js$/, ".ts");
  return [
    { find: new RegExp(`^ventanilla${path.slice(1)}$`), replacement: fileURLToPath(new URL(source, import.meta.url)) },
  ];
});
