import { BankError } from "../../index.ts";

/**
 * A prompt was closed without an answer: by Ctrl-C, for which the terminal sends it a key and no signal, by a signal that ends
 * the program, or because its answer is of no use any more. A fault of ours, so that a login whose handler throws it
 * passes it on as it is.
 */
export class Interruption extends BankError<"request_aborted"> {
  constructor() {
    super("request_aborted");
  }

  override get name() {
    return "Interruption" as const;
  }
}
