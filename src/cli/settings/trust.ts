import { BankError } from "../../index.ts";

/**
 * Where a setting comes from, the most trusted source first: an option, the environment, a config file of the person's (in
 * their configuration folder, or named by `--config`), and the config file of the current folder, which anybody may have put there.
 */
export const sources = ["option", "environment", "config", "folder"] as const;
export type Source = (typeof sources)[number];

const addresses: Readonly<Record<Source, string>> = {
  option: "--base-url",
  environment: "VENTANILLA_BASE_URL",
  config: "the config file",
  folder: "ventanilla.config.json in this folder",
};

/**
 * Credentials go to every address except that of the current folder's config file. Only typed ones go there too, because the host is
 * printed above the prompt.
 */
export const CREDENTIALS: Source = "config";

/** A secret goes only to an address from its own source or from a more trusted one. */
export function checkTrust(address: Source, secret: { readonly field: string; readonly source: Source }): void {
  if (sources.indexOf(address) <= sources.indexOf(secret.source)) return;
  const detail = `would go to the address of ${addresses[address]}`;
  throw new BankError("untrusted_address", { field: secret.field, detail });
}

/** Refuses to send a key or a password in the clear to another machine. */
export function checkEncryption(address: string, source: Source): void {
  const { protocol, hostname } = new URL(address);
  // `URL` has normalized the address: 127.1 is 127.0.0.1.
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === "http:" && !isLoopback) throw new BankError("insecure_address", { field: addresses[source] });
}
