/**
 * A prompt was closed without an answer: by Ctrl-C, for which the terminal sends it a key and no signal, by a signal that ends
 * the program, or because its answer is of no use any more.
 */
export class Interruption extends Error {
  override get name() {
    return "Interruption" as const;
  }
}
