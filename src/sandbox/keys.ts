/** Gives the session keys, UUID-shaped (contract, section 2.3): random, or a fixed sequence when there is a seed. */
export function keySource(seed: string | number | undefined): () => string {
  if (seed === undefined) return () => uuid(crypto.getRandomValues(new Uint32Array(4)));
  const next = seededNumbers(String(seed));
  return () => uuid(Uint32Array.of(next(), next(), next(), next()));
}

// Not crypto.randomUUID(): browsers offer that one on secure origins only.
function uuid(words: Uint32Array): string {
  const digits = [...words].map((word) => word.toString(16).padStart(8, "0")).join("");
  const variant = "89ab"[Number.parseInt(digits.charAt(16), 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join("-");
}

// FNV-1a turns the seed into a number, SplitMix32 turns that into a sequence: repeatable, not secret, no more is needed.
function seededNumbers(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}
