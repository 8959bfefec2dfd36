import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { findBuiltFile, readEncoded } from "../../tools/inspect/built-files.ts";

const types = {
  "element.js": "text/javascript; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "form.css": "text/css; charset=utf-8",
} as const;

type AssetName = keyof typeof types;

const findFile = (name: AssetName) => findBuiltFile("hosted", name === "element.js" ? `../${name}` : name);

const versions = new Map<AssetName, string>();

/** The address of a file for a page: each version has another one. @throws {BankError} `invalid_setup` if it was not built. */
export function formatAssetUrl(name: AssetName): string {
  const known = versions.get(name);
  if (known !== undefined) return known;
  const version = createHash("sha256")
    .update(readFileSync(findFile(name)))
    .digest("hex")
    .slice(0, 16);
  versions.set(name, `${name}?${version}`);
  return `${name}?${version}`;
}

/** The address of the style with the colour of who asks. */
export const formatAccentUrl = (accent: string): string => `accent.css?${accent.slice(1)}`;

/** A file of its own: the policy of the page allows no style in its text. */
const formatAccent = (accent: string) => `main {
  --bank-login-accent: light-dark(${accent}, color-mix(in oklab, ${accent} 50%, #fff));
  --bank-login-on-accent: light-dark(#fff, #10131a);
}
`;

/** The response to a request for a file that the page loads. @param accent the colour of who asks. */
export function findAsset(path: string, request: Request, accent?: string): Response | undefined {
  const respond = (type: string, body: BodyInit, headers = {}) =>
    new Response(body, {
      headers: {
        ...headers,
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
      },
    });
  if (path === "accent.css" && accent !== undefined) return respond(types["page.css"], formatAccent(accent));
  if (!Object.hasOwn(types, path)) return undefined;
  const name = path as AssetName;
  const { body, headers } = readEncoded(findFile(name), request.headers.get("accept-encoding") ?? undefined);
  return respond(types[name], body, headers);
}
