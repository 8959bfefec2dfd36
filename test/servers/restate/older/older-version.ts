import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { createBankClient } from "ventanilla";
import type { createDurableLoginClient, durableLogin } from "ventanilla/restate";
import { repository } from "../repository.ts";

/** The versions that are packed: `pack.mjs` says how. An answer had another seal before version 8. */
export const olderVersions = ["7", "11"] as const;

/** The durable logins of an earlier version. What the tests use of them has the same types. */
export interface OlderVersion {
  readonly createBankClient: typeof createBankClient;
  readonly createDurableLoginClient: typeof createDurableLoginClient;
  readonly durableLogin: typeof durableLogin;
}

/** Loads an earlier version. Its imports are found from where it is unpacked. */
export async function loadOlderVersion(version: string): Promise<OlderVersion> {
  const packed = await readFile(`${repository}test/servers/restate/older/version-${version}.mjs.gz`);
  const folder = `${repository}node_modules/.cache/ventanilla-older`;
  await mkdir(folder, { recursive: true });
  const file = `${folder}/version-${version}.mjs`;
  // Renamed when it is complete: several processes may unpack at once.
  await writeFile(`${file}.${process.pid}`, await promisify(gunzip)(packed));
  await rename(`${file}.${process.pid}`, file);
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}
