import { inspect } from "node:util";
import { BankError } from "ventanilla";
import { expect } from "vitest";

/** What a call breaks with, or a failed test where it responds. */
export async function readFault(call: Promise<unknown>): Promise<BankError> {
  const result = await call.then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  );
  if ("response" in result) expect.fail(`no fault, but the response ${JSON.stringify(result.response)}`);
  if (!(result.error instanceof BankError)) expect.fail(`no BankError: ${inspect(result.error)}`);
  return result.error;
}

/** All that a person, a log or a debugger could see of a value. */
export function formatEverything(value: unknown): string {
  const seen = new Set<object>();
  const parts: string[] = [String(value), JSON.stringify(value) ?? ""];
  const look = (level: unknown): void => {
    if (typeof level === "string") parts.push(level);
    if (typeof level !== "object" || level === null || seen.has(level)) return;
    seen.add(level);
    for (const key of Reflect.ownKeys(level)) {
      parts.push(String(key));
      look(Reflect.get(level, key));
    }
    if (level instanceof Error) look(level.stack);
  };
  look(value);
  parts.push(inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }));
  return parts.join("\n");
}

export function expectNoneOf(secrets: readonly string[], value: unknown): void {
  const seen = formatEverything(value);
  expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
}
