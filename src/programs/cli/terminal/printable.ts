// What a terminal acts on or does not show: controls (C0, DEL, C1), format characters (bidi, zero-width, soft hyphen, tags), lone
// surrogates, line and paragraph separators, and all other characters that Unicode says to ignore.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

// ESC with its sequence: a CSI sequence, a string (OSC, DCS, SOS, PM, APC) up to its end, a short sequence. No part can match in two
// ways, so a long text takes linear time.
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them.
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-~]?/g;

/**
 * Any text as one line that can't control a terminal: without escape sequences and invisible characters, with a space for a line break or
 * a tab.
 */
export function printable(text: string): string {
  return text.replaceAll(sequences, "").replaceAll(breaks, " ").replaceAll(unprintable, "");
}

/** A value as JSON on one line: what a terminal would act on is escaped, so the value stays the same. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(unprintable, (found) =>
    // By code units, as JSON writes them.
    found.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
