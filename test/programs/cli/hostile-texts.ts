/** What a service may put into a text, and no terminal may get. */
const hostileTexts = {
  "writes the clipboard (OSC 52)": "\u001B]52;c;ZXZpbA==\u0007",
  "sets the title": "\u001B]0;title\u001B\\",
  "has no end": "\u001B]0;title",
  "makes a link": "\u001B]8;;https://bank.invalid\u001B\\here\u001B]8;;\u001B\\",
  "colours the rest": "\u001B[95;5m",
  "clears the screen": "\u001B[2J\u001B[3J\u001B[H",
  "asks the terminal, which types the answer": '\u001B[6n\u001B[c\u001BP$q"p\u001B\\',
  "resets the terminal": "\u001Bc\u001B(0",
  "does the same in C1": "\u009B95m\u009D0;title\u009C\u0090$q\u009C\u0085",
  "breaks lines": "\r\nforged: You are logged in.\nforged\v\f",
  "breaks lines in Unicode": "\u2028forged\u2029forged",
  "takes signs back": "\b\b\u007F\u0000\u0007",
  "turns the direction": "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C",
  "has no width": "\u200B\u200C\u200D\uFEFF\u2060\u2061\u00AD\u180E\u3164",
  "has tags": "\u{E0001}\u{E0065}\u{E007F}\u{E0000}",
  "has halves of a character": "\uD800 \uDC00",
} as const;

/** All of them in one. */
export const hostile = `Banco ${Object.values(hostileTexts).join(" y ")} Norte`;

/** By hand, by code point: what must not stand in what a terminal is sent. The end of a line is ours. */
const forbidden: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe0fff],
];

/** The code points of a text that a terminal must not get. */
export function forbiddenIn(text: string): string[] {
  const points = Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
  return points
    .filter((point) => forbidden.some(([first, last]) => point >= first && point <= last))
    .map((point) => `U+${point.toString(16).toUpperCase()}`);
}
