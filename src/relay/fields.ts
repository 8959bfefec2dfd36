/**
 * Reads `application/x-www-form-urlencoded` to the letter. Where the platform's parser would guess, at a half escape, at bytes
 * that are no UTF-8, at a name given twice, this gives nothing: a guess could be another password than the one typed.
 */
export function fieldsOf(text: string, limit: number): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  if (text === "") return fields;
  const parts = text.split("&", limit + 1);
  if (parts.length > limit) return undefined;
  for (const part of parts) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? undefined : decoded(part.slice(0, equals));
    const value = decoded(part.slice(equals + 1));
    if (name === undefined || value === undefined || fields.has(name) || !isFieldName(name)) return undefined;
    fields.set(name, value);
  }
  return fields;
}

/** What names of fields look like in any language: brackets and the like mean more than a name to some servers. */
const isFieldName = (name: string): boolean => /^(?! )[\p{L}\p{M}\p{N}_.: -]{1,64}(?<! )$/u.test(name);

function decoded(text: string): string | undefined {
  // What a form serialiser never writes: control characters, and anything beyond ASCII.
  if (!/^[\x21-\x7e]*$/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // The platform's error names the text.
    return undefined;
  }
}
