import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { BankError } from "../../core/api/errors.ts";

/** The address of a file that the build writes to `dist`: a page, a picture. Throws `invalid_setup` if it was not built. */
export function findBuiltFile(part: "play" | "viewer" | "diagrams" | "hosted", file: string): URL {
  // With the package's own name: this runs from `dist`, and in tests from the sources.
  const manifest = createRequire(import.meta.url).resolve("ventanilla/package.json");
  const address = new URL(`dist/${part}/${file}`, pathToFileURL(manifest));
  if (existsSync(address)) return address;
  throw new BankError("invalid_setup", { field: part, detail: `dist/${part} has no ${file}` });
}

/** The body of a response with a file, and the headers of its encoding. */
export interface EncodedFile {
  readonly body: Buffer<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

// As the build has compressed them, the smallest first.
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/**
 * A file of the build as a browser takes it. Of a file that the build has not compressed its bytes, of one that the package has compressed alone
 * these if they are wanted.
 *
 * @param accepted the header `accept-encoding`.
 */
export function readEncoded(file: URL, accepted: string | undefined): EncodedFile {
  const isAccepted = (encoding: string) =>
    new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted ?? "");
  for (const [encoding, ending] of encodings) {
    const compressed = new URL(file.href + ending);
    if (isAccepted(encoding) && existsSync(compressed)) {
      return { body: readFileSync(compressed), headers: { "content-encoding": encoding, vary: "accept-encoding" } };
    }
  }
  const body = existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(new URL(`${file.href}.gz`)));
  return { body, headers: { vary: "accept-encoding" } };
}
