import { CompactEncrypt, compactDecrypt } from "jose";
import sqlite from "node-sqlite3-wasm";

const database = new sqlite.Database("shop.db");
database.exec(`CREATE TABLE IF NOT EXISTS bank_sessions (
  account TEXT NOT NULL,
  provider TEXT NOT NULL,
  sealed_key TEXT NOT NULL,
  PRIMARY KEY (account, provider)
)`);

// It is not in the database: a copy of the file opens no session.
const storeKey = Buffer.from(process.env.STORE_KEY, "base64");

/** Stores the key of an account's session at a bank. It replaces an earlier one. */
export async function storeSession(account, provider, key) {
  const sealed = await new CompactEncrypt(Buffer.from(key))
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .encrypt(storeKey);
  database.run("INSERT OR REPLACE INTO bank_sessions VALUES (?, ?, ?)", [account, provider, sealed]);
}

/** Returns the key of an account's session at a bank, or nothing if there is none. */
export async function readSession(account, provider) {
  const row = database.get("SELECT sealed_key FROM bank_sessions WHERE account = ? AND provider = ?", [
    account,
    provider,
  ]);
  if (!row) return undefined;
  const { plaintext } = await compactDecrypt(row.sealed_key, storeKey);
  return Buffer.from(plaintext).toString();
}
