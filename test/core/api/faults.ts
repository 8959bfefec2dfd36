import { inspect } from "node:util";
import { BankError } from "ventanilla";
import { expect } from "vitest";
import { findCanaries } from "../../leaks/canaries.ts";

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

/** Expects none of these in a value, in anything that can be reached from it, or in what it prints. */
export function expectNoneOf(secrets: readonly string[], value: unknown): void {
  const printed = [String(value), JSON.stringify(value), inspect(value, { depth: null, showHidden: true })];
  const canaries = secrets.map((token) => ({ name: token, token, value: token }));
  expect(findCanaries([value, ...printed], canaries)).toEqual([]);
}
