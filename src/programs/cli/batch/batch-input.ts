import * as v from "valibot";
import { BankError, type Secret } from "../../../index.ts";
import { credentialMembers, type KnownCredentials, prepareCredentials } from "../login/credentials-file.ts";
import { parseJson } from "../settings/config-file.ts";

const line = v.strictObject({ id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)), ...credentialMembers });

export interface BatchLogin {
  /** Unique in the batch, and the same in the next run. It is printed in the results, so it must not be a secret. */
  readonly id: string;
  /** Its line, and the number of the line. A batch of 100 000 logins keeps nothing else of each in memory. */
  readonly content: string;
  readonly number: number;
}

export interface PreparedLogin extends KnownCredentials {
  readonly id: string;
  readonly provider: string;
  readonly username: Secret;
  readonly password: Secret;
}

/** Reads the lines of a batch, at least one. Each needs a unique id, a provider, a username and a password, otherwise nothing is sent. */
export function readBatch(text: string): readonly BatchLogin[] {
  if (!/^\s*(?:\{|$)/.test(text)) {
    const detail = "must be JSON lines; docs/questions.md has a command that makes them of a CSV file";
    throw new BankError("invalid_input", { field: "FILE", detail });
  }
  const known = new Set<string>();
  const logins = text.split("\n").flatMap((content, index) => {
    if (content.trim() === "") return [];
    const number = index + 1;
    const { id } = prepareLogin({ content, number });
    if (known.has(id)) throw new BankError("invalid_input", { field: `line ${number}.id`, detail: "is used twice" });
    known.add(id);
    return [{ id, content, number }];
  });
  if (logins.length === 0) throw new BankError("invalid_input", { field: "FILE", detail: "has no login" });
  return logins;
}

export function prepareLogin({ content, number }: Pick<BatchLogin, "content" | "number">): PreparedLogin {
  const field = `line ${number}`;
  const { id, ...members } = prepareCredentials(parseJson(line, content, field), field);
  // Otherwise the answer command would read it as an option.
  if (id.startsWith("-")) throw new BankError("invalid_input", { field: `${field}.id`, detail: "begins with -" });
  const { provider, username, password } = members;
  if (provider && username && password) return { ...members, id, provider, username, password };
  const missing = !provider ? "provider" : username ? "password" : "username";
  throw new BankError("missing_field", { field: `${field}.${missing}` });
}
