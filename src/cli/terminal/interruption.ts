/** Somebody pressed Ctrl-C at a prompt, where the terminal sends a key and no signal. */
export class Interruption extends Error {
  override get name() {
    return "Interruption" as const;
  }
}
