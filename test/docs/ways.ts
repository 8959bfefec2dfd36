/** Who takes part in a way of logging in: its name, and a word on it. Yours have a frame of their own. */
export interface Party {
  readonly name: string;
  readonly note?: string;
  readonly isYours?: boolean;
}

/** What goes from one to another, by their places; to itself is what it does. With a secret it has another colour. */
export type Message = readonly [from: number, to: number, text: string, kind?: "secret"];

export interface Way {
  readonly title: string;
  readonly parties: readonly Party[];
  readonly messages: readonly Message[];
}

const you = (name: string, note?: string): Party => ({ name, ...(note && { note }), isYours: true });
const service: Party = { name: "Service", note: "logs in at the bank" };

/** The four ways of the documentation, each as it goes when the bank asks for a code. */
export const ways = {
  script: {
    title: "A script logs in",
    parties: [you("Your program", "login()"), service],
    messages: [
      [0, 1, "API key, user name, password", "secret"],
      [1, 0, "the bank’s question, the key of the next login", "secret"],
      [0, 0, "onInteraction: your program asks for the code"],
      [0, 1, "API key, user name, password, answer, key", "secret"],
      [1, 0, "session key", "secret"],
    ],
  },
  page: {
    title: "A person logs in on your page or in your app",
    parties: [{ name: "Browser or app" }, you("Relay", "keeps the login"), you("Your program"), service],
    messages: [
      [0, 1, "user name, password", "secret"],
      [1, 3, "the same, with the API key", "secret"],
      [3, 1, "the bank’s question, a key", "secret"],
      [1, 0, "the bank’s question"],
      [0, 1, "answer", "secret"],
      [1, 3, "user name, password, answer, key, API key", "secret"],
      [3, 1, "session key", "secret"],
      [1, 2, "onLogin: session key", "secret"],
      [1, 0, "connected"],
    ],
  },
  link: {
    title: "A person logs in by a link",
    parties: [
      you("Your back end", "in any language"),
      you("Hosted login", "ventanilla serve"),
      { name: "Browser" },
      service,
    ],
    messages: [
      [0, 1, "POST /sessions"],
      [1, 0, "a link"],
      [0, 2, "the link, by mail, chat or redirect"],
      [2, 1, "user name, password", "secret"],
      [1, 3, "the same, with the API key", "secret"],
      [3, 1, "the bank’s question, a key", "secret"],
      [1, 2, "the bank’s question"],
      [2, 1, "answer", "secret"],
      [1, 3, "user name, password, answer, key, API key", "secret"],
      [3, 1, "session key", "secret"],
      [1, 2, "connected, and back to you"],
      [0, 1, "POST /sessions/{id}/key"],
      [1, 0, "session key", "secret"],
    ],
  },
  job: {
    title: "A job logs in a thousand users",
    parties: [
      { name: "logins.jsonl", note: "a login per line" },
      you("ventanilla batch", "8 at a time"),
      { name: "Journal", note: "beside the results" },
      service,
    ],
    messages: [
      [0, 1, "user name, password", "secret"],
      [1, 2, "“begun”, on the disk"],
      [1, 3, "API key, user name, password", "secret"],
      [3, 1, "session key, or why not", "secret"],
      [1, 2, "how it ended"],
      [1, 1, "after a kill: no row twice"],
    ],
  },
} as const satisfies Record<string, Way>;

const WIDTH = 1000;
const BOX = { width: 200, height: 66, top: 10 };
const ROW = 46;
/** About the width of a letter of a message. */
const LETTER = 8.4;

// The same as in secrets.svg.
const style = `svg { --paper: #ffffff; --ink: #1c2733; --quiet: #5b6877; --line: #8593a3; --box: #f3f6f9; --own: #e4eefb; --own-line: #4a7fc0; --secret: #a33b12;
  font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; }
@media (prefers-color-scheme: dark) { svg { --paper: #12171d; --ink: #e6edf3; --quiet: #a3b0bd; --line: #6d7b8a; --box: #1f2831; --own: #1b2f4a; --own-line: #6ea8ec; --secret: #ff9a6b; } }
path { fill: none; stroke: var(--line); stroke-width: 1.5; }
polygon { fill: var(--line); }
text { fill: var(--quiet); font-size: 17px; text-anchor: middle; paint-order: stroke; stroke: var(--paper); stroke-width: 6px; }
.paper { fill: var(--paper); }
.left { text-anchor: start; }
.secret path { stroke: var(--secret); stroke-width: 2.5; }
.secret polygon { fill: var(--secret); }
.secret text { fill: var(--secret); font-weight: 600; }
.party path { stroke-dasharray: 3 5; }
.party rect { fill: var(--box); stroke: var(--line); stroke-width: 1.5; }
.yours rect { fill: var(--own); stroke: var(--own-line); }
.party text { stroke: none; }
.party text:first-of-type { fill: var(--ink); font-size: 19px; font-weight: 600; }`;

/** How much wider than its place a message is; negative if it fits. */
export function measureOverhang({ parties }: Way, [from, to, text]: Message): number {
  const place =
    from === to ? WIDTH - placeOf(from, parties) - 30 : Math.abs(placeOf(from, parties) - placeOf(to, parties)) - 20;
  return text.length * LETTER - place;
}

const placeOf = (index: number, parties: readonly Party[]): number =>
  BOX.width / 2 + 10 + (index * (WIDTH - BOX.width - 20)) / (parties.length - 1);

/** Draws a way: the parties side by side, and what goes between them from top to bottom. */
export function drawWay(way: Way): string {
  const { title, parties, messages } = way;
  const begin = BOX.top + BOX.height;
  const height = begin + messages.length * ROW + 34;
  const drawParty = ({ name, note, isYours }: Party, index: number) => {
    const x = placeOf(index, parties);
    const lines = [name, ...(note ? [note] : [])].map((text, line, all) => {
      const y = BOX.top + BOX.height / 2 + 6 + (line - (all.length - 1) / 2) * 24;
      return `<text x="${x}" y="${y}">${text}</text>`;
    });
    const box = `<rect x="${x - BOX.width / 2}" y="${BOX.top}" width="${BOX.width}" height="${BOX.height}" rx="8"/>`;
    return `<g class="party${isYours ? " yours" : ""}"><path d="M${x},${begin}V${height - 10}"/>${box}${lines.join("")}</g>`;
  };
  const drawMessage = ([from, to, text, kind]: Message, row: number) => {
    const [start, end, y] = [placeOf(from, parties), placeOf(to, parties), begin + (row + 1) * ROW];
    const group = `<g${kind ? ` class="${kind}"` : ""}>`;
    if (from === to) {
      return `${group}<path d="M${start},${y - 18}h16v16H${start + 8}"/><polygon points="${start},${y - 2} ${start + 10},${y - 7} ${start + 10},${y + 3}"/><text class="left" x="${start + 26}" y="${y - 4}">${text}</text></g>`;
    }
    const back = start < end ? -12 : 12;
    return `${group}<path d="M${start},${y}H${end + back}"/><polygon points="${end},${y} ${end + back},${y - 6} ${end + back},${y + 6}"/><text x="${(start + end) / 2}" y="${y - 9}">${text}</text></g>`;
  };
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${title}</title>`,
    `<style>\n${style}\n</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    ...parties.map(drawParty),
    ...messages.map(drawMessage),
    "</svg>",
  ].join("\n")}\n`;
}
