import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { findBuiltFile } from "../../tools/inspect/built-files.ts";

const types = {
  "element.js": "text/javascript; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
} as const;

type AssetName = keyof typeof types;

const contents = new Map<AssetName, { readonly text: string; readonly version: string }>();

/** Reads a built file once. @throws {BankError} `invalid_setup` if it was not built. */
function readAsset(name: AssetName) {
  const known = contents.get(name);
  if (known) return known;
  const text = readFileSync(findBuiltFile("hosted", name === "element.js" ? `../${name}` : name), "utf8");
  const asset = { text, version: createHash("sha256").update(text).digest("hex").slice(0, 16) };
  contents.set(name, asset);
  return asset;
}

/** The address of a file for a page: each version has another one. */
export const formatAssetUrl = (name: AssetName): string => `${name}?${readAsset(name).version}`;

/** The response to a request for a file that the page loads. */
export function findAsset(path: string): Response | undefined {
  if (!Object.hasOwn(types, path)) return undefined;
  const name = path as AssetName;
  return new Response(readAsset(name).text, {
    headers: {
      "content-type": types[name],
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}
