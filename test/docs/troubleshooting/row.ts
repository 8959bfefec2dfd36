import type { BankError } from "ventanilla";
import { readFault } from "../../core/api/faults.ts";

/** A row of docs/troubleshooting.md. */
export interface Row {
  /** How its first cell begins. */
  readonly row: string;
  /** Makes it happen. @returns what a developer sees, each a part of the first cell. */
  readonly happen: () => Promise<readonly string[]>;
}

/** The code of a fault, and its HTTP status as the page writes it. */
export async function seeFault(call: Promise<unknown>): Promise<readonly string[]> {
  return describe(await readFault(call));
}

export function describe({ code, httpStatus }: BankError): readonly string[] {
  return [`\`${code}\``, ...(httpStatus === undefined ? [] : [`HTTP ${httpStatus}`])];
}
