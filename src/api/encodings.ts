/** A text as it came, or with encodings undone. */
export interface DecodedText {
  readonly text: string;
  /** How many encodings are undone. */
  readonly depth: number;
  /** For each character, and for the end: where it begins in the text as it came. Absent from that text itself. */
  readonly starts?: readonly number[];
}

/** Finds the escapes of an encoding, and says what one stands for. */
type Encoding = readonly [escapes: RegExp, toText: (groups: readonly (string | undefined)[]) => string];

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd");

const names: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

// The bytes of one character in UTF-8, or one byte of Latin-1.
const digit = "[\\da-f]";
const bytes = `%[c-f]${digit}(?:%[89ab]${digit})+|%${digit}{2}`;

const fromBytes: Encoding[1] = ([coded = ""]) => {
  const [, first = 0, ...rest] = coded.split("%").map((hex) => Number(`0x${hex}`));
  const head = rest.length > 0 ? first & (0x3f >> rest.length) : first;
  return coded === "+" ? " " : fromCode(rest.reduce((code, byte) => code * 64 + (byte & 0x3f), head));
};

const encodings: readonly Encoding[] = [
  // An address, and a form.
  [new RegExp(bytes, "gi"), fromBytes],
  [new RegExp(`\\+|${bytes}`, "gi"), fromBytes],
  // JSON, and strings of most languages.
  [
    /\\(?:u([\da-f]{4})|x([\da-f]{2})|([^a-z\d]))/gi,
    ([, unit, byte, text]) => text ?? fromCode(Number(`0x${unit ?? byte}`)),
  ],
  // HTML.
  [
    /&(?:#(x[\da-f]{1,6}|\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    ([, code, name = ""]) => names[name.toLowerCase()] ?? fromCode(Number(`0${code}`)),
  ],
];

// HTML in JSON, JSON in an address.
const DEPTH = 2;

/** A text as it came, with each encoding undone that it seems to have, and one in another as well. */
export function listDecodings(text: string): readonly DecodedText[] {
  const texts: DecodedText[] = [{ text, depth: 0 }];
  for (const outer of texts) {
    if (outer.depth === DEPTH) break;
    for (const encoding of encodings) {
      const inner = decode(outer, encoding);
      if (texts.every((known) => known.text !== inner.text)) texts.push(inner);
    }
  }
  return texts;
}

function decode(outer: DecodedText, [escapes, toText]: Encoding): DecodedText {
  const starts: number[] = [];
  let text = "";
  let end = 0;
  const keepUntil = (next: number) => {
    text += outer.text.slice(end, next);
    for (; end < next; end++) starts.push(outer.starts?.[end] ?? end);
  };
  for (const match of outer.text.matchAll(escapes)) {
    keepUntil(match.index);
    text += toText(match);
    while (starts.length < text.length) starts.push(outer.starts?.[end] ?? end);
    end += match[0].length;
  }
  // The end is a place too.
  keepUntil(outer.text.length + 1);
  return { text, starts, depth: outer.depth + 1 };
}
