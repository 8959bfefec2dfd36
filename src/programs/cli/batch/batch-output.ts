import { BankError } from "../../../index.ts";
import { realPath } from "../settings/private-files.ts";
import { openBatchClaims } from "./batch-claims.ts";
import { keyLine, resultLine } from "./batch-history.ts";
import { openLineFile } from "./line-file.ts";

/** What a batch writes to. */
export type BatchOutput = Awaited<ReturnType<typeof openBatchOutput>>;

/**
 * Opens what a batch writes to. Two names of one file are refused, because what is added to one would be read as another. So is the file
 * `input`, which the logins are read from; `-` is standard input.
 */
export async function openBatchOutput(
  input: string,
  {
    out: named,
    keysTo,
    claims: place,
    claimLifetime,
  }: { out: string; keysTo: string | undefined; claims: string | undefined; claimLifetime: number },
) {
  // The claims are named after the file itself. Under another name a login could be sent twice.
  const out = await realPath("--out", named);
  const places = [
    ...(input === "-" ? [] : [{ field: "FILE", path: await realPath("FILE", input) }]),
    { field: "--out", path: out },
    ...(keysTo === undefined ? [] : [{ field: "--keys-to", path: await realPath("--keys-to", keysTo) }]),
  ];
  for (const [index, { field, path }] of places.entries()) {
    const other = places.slice(0, index).find((place) => place.path === path);
    if (other) throw new BankError("invalid_input", { field, detail: `is the same file as ${other.field}` });
  }
  const opened: { close(): Promise<unknown> }[] = [];
  const close = async () => {
    for (const part of opened) await part.close();
  };
  const keep = async <Part extends { close(): Promise<unknown> }>(opening: Promise<Part>): Promise<Part> => {
    const part = await opening;
    opened.push(part);
    return part;
  };
  try {
    const results = await keep(openLineFile(out, "--out", resultLine));
    const keys = keysTo === undefined ? undefined : await keep(openLineFile(keysTo, "--keys-to", keyLine));
    const claims = await keep(openBatchClaims(place ?? `folder:${out}.claims`, claimLifetime));
    return { results, keys, claims, close };
  } catch (error) {
    await close();
    throw error;
  }
}
