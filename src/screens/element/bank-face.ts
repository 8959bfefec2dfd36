import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { parseUrl } from "../../core/api/base-url.ts";
import { connectives, listNameWords } from "../../core/view/bank-name.ts";
import { plain } from "../../core/view/provider-search.ts";

// Words that most names of banks have, in the languages of their countries.
const generic =
  /^(ban(ca|co|cos|k|king|que)|ca(ja|ixa)s?|cooperativas?|financ\p{L}+|grupo|group|personas?|pessoas?|empresas?|personal|business)$/iu;
// A short name in capitals, such as BROU, is what people call the bank.
const acronym = /^\p{Lu}{2,4}$/u;
// So is a short code.
const shortCode = /^[a-z]{2,4}$/;

/** Two to four letters that tell a bank from others: what people call it, or the first letters of the words that are its own. */
export function toInitials(name: string, code = ""): string {
  // Not what is in brackets.
  const words = listNameWords(name.replaceAll(/\(.*?\)/g, " "));
  const meaningful = words.filter((word) => !connectives.test(word));
  const own = meaningful.filter((word) => !generic.test(word));
  const [first = "", second] = own.length > 0 ? own : words;
  if (acronym.test(first)) return first;
  const initials = meaningful
    .map(([letter]) => letter)
    .join("")
    .toUpperCase();
  const [short = ""] = code.split("_");
  // A code that has nothing to do with the name, such as `test`, is none that people know.
  if (shortCode.test(short) && plain(initials).startsWith(short)) return short.toUpperCase();
  const called = own.find((word) => plain(word) === short);
  if (called && shortCode.test(short)) return called;
  // A name that says what the bank is, such as Banco de la Nación, is known by its initials.
  const isDescriptive = words.length > meaningful.length || /^ca(ja|ixa)s?$/i.test(words[0] ?? "");
  if (isDescriptive && meaningful.length > 2 && initials.length <= 4) return initials;
  const [one, other] = [[...first], [...(second ?? "")]];
  if (second && one.length > 3) return `${one[0]}${other[0]}`.toUpperCase();
  return one
    .slice(0, one.length > 3 ? 2 : 3)
    .join("")
    .replace(/^./u, (letter) => letter.toUpperCase());
}

/** How many colours the initials of banks have. Classes, because a content security policy may forbid the attribute `style`. */
export const HUES = 24;

/** A colour for a name: one of the hues of the style. */
const toHue = (name: string) => [...name].reduce((hue, letter) => (hue * 31 + (letter.codePointAt(0) ?? 0)) % HUES, 0);

/** A bank's logo over its initials, which show until it has loaded, and if there is none. */
function faceTemplate(name: string, address: string | undefined, code?: string): TemplateResult {
  const initials = toInitials(name, code);
  return html`<span class="logo hue-${toHue(name)} letters-${initials.length}" part="logo" aria-hidden="true">
    ${initials}
    ${address === undefined ? nothing : keyed(address, html`<img src=${address} alt="" loading="lazy" @load=${show} />`)}
  </span>`;
}

/** Where logos come from. */
export interface Logos {
  /** The page's own, by the bank's code. */
  readonly own: Readonly<Record<string, string>> | undefined;
  /** The origin of the service's logos; `undefined` is any. */
  readonly origin: string | undefined;
}

/** The face of a bank: with the page's logo, else with the service's. */
export function bankFaceTemplate(
  { code, name, logo }: { code: string; name: string; logo?: unknown },
  { own, origin }: Logos,
) {
  const address = own && Object.hasOwn(own, code) ? toPageAddress(own[code]) : toLogoAddress(logo, origin);
  return faceTemplate(name, address, code);
}

/** The face of the page that asks, if it says who it is. */
export function hostFaceTemplate({ name, logo }: { name: string | undefined; logo: string | undefined }) {
  return name ? faceTemplate(name, toPageAddress(logo)) : undefined;
}

/** The address of a logo of the service, if it may be loaded. @param origin of the logos; `undefined` is any. */
function toLogoAddress(address: unknown, origin: string | undefined): string | undefined {
  const url = toWebAddress(address);
  return url === undefined || origin === undefined || new URL(url).origin === origin ? url : undefined;
}

/** An address that the page gives, perhaps relative to it. On a server there is none. */
export const toPageAddress = (address: string | undefined) => toWebAddress(address, globalThis.document?.baseURI);

/** An address that may be loaded or opened: no script. */
function toWebAddress(address: unknown, base?: string): string | undefined {
  const url = typeof address === "string" ? parseUrl(address, base) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function show({ target }: Event): void {
  (target as Element).classList.add("loaded");
}
