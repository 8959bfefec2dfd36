import type { FaultDetails } from "../../core/api/errors.ts";
import { BankError } from "../../index.ts";

/** A wrong use of the command: its `detail` is a complete sentence that is shown first. */
export class UsageFault extends BankError {
  constructor(fact: string, details: FaultDetails = {}) {
    super("invalid_input", { ...details, detail: fact });
  }
}
