// More banks than any service has: beyond, the log does without.
const LIMIT = 10_000;

/** The codes of the banks that the service has named itself, or has let somebody log in to. */
export class KnownProviders {
  readonly #codes = new Set<string>();

  add(code: string): void {
    if (this.#codes.size < LIMIT) this.#codes.add(code);
  }

  has(code: string): boolean {
    return this.#codes.has(code);
  }
}
