import { html, nothing, type TemplateResult } from "lit";
import { parseUrl } from "../../core/api/base-url.ts";

// Words that most names of banks have, in the languages of their countries.
const generic =
  /^(ban(ca|co|cos|k|king|que)|ca(ja|ixa)s?|cooperativas?|financ\p{L}+|grupo|group|personas?|pessoas?|empresas?|personal|business|del?|d[ao]s?|el|l[ao]s?|[aey]|of|the|and)$/iu;
// A short name in capitals, such as BROU, is what people call the bank.
const acronym = /^\p{Lu}{2,4}$/u;

/** Two to four letters that tell a bank from others: its acronym, or the first letters of the words that are its own. */
export function toInitials(name: string): string {
  const words = name.match(/\p{L}[\p{L}\p{N}]*/gu) ?? [];
  const own = words.filter((word) => !generic.test(word));
  const [first = "", second] = own.length > 0 ? own : words;
  if (acronym.test(first)) return first;
  return second
    ? ([...first][0] + ([...second][0] ?? "")).toUpperCase()
    : [...first]
        .slice(0, 2)
        .join("")
        .replace(/^./u, (letter) => letter.toUpperCase());
}

/** A colour for a name: a hue of 0 to 359 degrees. */
const toHue = (name: string) => [...name].reduce((hue, letter) => (hue * 31 + (letter.codePointAt(0) ?? 0)) % 360, 0);

/** A bank's logo over its initials, which show if there is no logo or it can't be loaded. */
export function faceTemplate(name: string, address: string | undefined): TemplateResult {
  const initials = toInitials(name);
  // As a property: a content security policy may forbid the attribute.
  return html`<span
    class="logo"
    part="logo"
    aria-hidden="true"
    .style=${`--hue: ${toHue(name)}; --letters: ${initials.length}`}
  >
    ${initials}
    ${address === undefined ? nothing : html`<img src=${address} alt="" loading="lazy" @error=${hide} />`}
  </span>`;
}

/** The address of a bank's logo, if it may be loaded. @param origin of the banks' logos; `undefined` is any. */
export function toLogoAddress(address: unknown, origin: string | undefined): string | undefined {
  const url = typeof address === "string" ? parseUrl(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return origin === undefined || url.origin === origin ? url.href : undefined;
}

function hide(event: Event): void {
  (event.target as HTMLImageElement).hidden = true;
}
