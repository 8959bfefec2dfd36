const HEADER = "<!-- Generated from the sources by TypeDoc; `npm run docs` writes it anew. -->";

const ANCHOR = /<a id="([^"]*)"><\/a>\s*/g;
const OF_AN_EXPORT = /^(class|interface|type|variable|function|reference)-(?!parameter-)/;

// One member of a union, with its own copy of the code.
const MEMBER = /##### Type Literal\n\n```ts\n([\s\S]*?)```/g;
const DISCRIMINANT = /^ {2}(?:step|status|type): "[^"]*"/m;

/** A page with what helps to read it: members of a union are called by what tells them apart, and nothing stands there twice. */
export function readable(page: string): string {
  const text = page
    // Nothing points to the anchors of members.
    .replace(ANCHOR, (anchor, id: string) => (OF_AN_EXPORT.test(id) ? anchor : ""))
    .replace(MEMBER, (member, code: string) => {
      const [discriminant] = DISCRIMINANT.exec(code) ?? [];
      return discriminant ? `##### \`${discriminant.trim()}\`` : member;
    })
    .replace("## Modules\n\n| Module |", "## Entry points\n\n| Entry point |");
  return `${HEADER}\n${text}`;
}
