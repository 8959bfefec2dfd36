import * as v from "valibot";
import { BankError, type Secret } from "../../../index.ts";
import { credentialMembers, type KnownCredentials, prepareCredentials } from "../login/credentials-file.ts";
import { parseJson } from "../settings/config-file.ts";

const line = v.strictObject({ id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)), ...credentialMembers });

/** A login of a batch. */
export interface BatchLogin extends KnownCredentials {
  /** Unique in the batch, and the same in the next run. It is printed in the results, so it must be no secret. */
  readonly id: string;
  readonly provider: string;
  readonly username: Secret;
  readonly password: Secret;
}

/** Reads the lines of a batch, one at least. Each needs a unique id, a provider, a username and a password, or nothing is sent. */
export function readBatch(text: string): readonly BatchLogin[] {
  const known = new Set<string>();
  const logins = text.split("\n").flatMap((content, index) => {
    if (content.trim() === "") return [];
    const field = `line ${index + 1}`;
    const { id, ...members } = prepareCredentials(parseJson(line, content, field), field);
    // The answer command would read it as an option.
    if (id.startsWith("-")) throw new BankError("invalid_input", { field: `${field}.id`, detail: "begins with -" });
    if (known.has(id)) throw new BankError("invalid_input", { field: `${field}.id`, detail: "is used twice" });
    known.add(id);
    const { provider, username, password } = members;
    if (provider && username && password) return [{ ...members, id, provider, username, password }];
    const missing = !provider ? "provider" : username ? "password" : "username";
    throw new BankError("missing_field", { field: `${field}.${missing}` });
  });
  if (logins.length === 0) throw new BankError("invalid_input", { field: "FILE", detail: "has no login" });
  return logins;
}
