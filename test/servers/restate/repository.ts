import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder, from the sources as from what was built of them in `dist`. */
export const repository = `${dirname(fileURLToPath(import.meta.url)).replace(/\/test\/servers\/restate(\/dist(\/assets)?)?$/, "")}/`;
