import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { parseUrl } from "../../core/api/base-url.ts";
import { type BankLoginTexts, fillIn } from "../../core/texts/languages.ts";
import type { LinkView } from "../../core/view/link-view.ts";

/** The search of the list of banks, and its settings. */
export interface ProviderFilter {
  readonly search: {
    readonly text: string;
    /** In capitals or small letters. */
    readonly country: string;
    /** How many banks are drawn. If there are more, an element `.more` follows the last one. */
    readonly limit: number;
  };
  filter(search: { text?: string; country?: string }): void;
  /** The origin of the banks' logos; `undefined` is any. */
  readonly logoOrigin: string | undefined;
}

/** The list of banks, its search and its filter by country. */
export function providersTemplate(
  view: Extract<LinkView, { step: "choosingProvider" }>,
  {
    texts,
    locale,
    search: { text, country: wanted, limit },
    filter,
    logoOrigin,
  }: ProviderFilter & { readonly texts: BankLoginTexts; readonly locale: string },
): TemplateResult {
  // A country without banks would leave nothing to choose, and could not be changed.
  const country = view.countries.find((code) => code.toLowerCase() === wanted.toLowerCase()) ?? "";
  const found = view.search({ text, country });
  const names = new Intl.DisplayNames([locale], { type: "region" });
  // The service may send something else than a code.
  const nameOf = (code: string) => (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code;
  const countries = view.countries.map((code) => ({ code, name: nameOf(code) }));
  countries.sort((one, other) => one.name.localeCompare(other.name, locale));
  return html`<div class="filters">
      <div class="field">
        <label for="search" part="label">${texts.search}</label>
        <input
          part="input"
          id="search"
          type="search"
          autocomplete="off"
          .value=${text}
          @input=${(event: Event) => filter({ text: (event.target as HTMLInputElement).value })}
          @keydown=${goToList}
        />
      </div>
      ${
        countries.length > 1
          ? html`<div class="field">
              <label for="country" part="label">${texts.country}</label>
              <select
                part="input"
                id="country"
                .value=${country}
                @change=${(event: Event) => filter({ country: (event.target as HTMLSelectElement).value })}
              >
                <option value="" ?selected=${country === ""}>${texts.everyCountry}</option>
                ${countries.map(
                  ({ code, name }) => html`<option value=${code} ?selected=${code === country}>${name}</option>`,
                )}
              </select>
            </div>`
          : nothing
      }
    </div>
    <p class="announcement" role="status">${fillIn(texts.banksFound, { count: found.length })}</p>
    ${found.length === 0 ? html`<p class="quiet">${country ? texts.noBankInCountry : texts.noBank}</p>` : nothing}
    <ul class="banks" part="banks" tabindex="-1" @keydown=${moveInList}>
      ${repeat(
        found.slice(0, limit),
        ({ code }) => code,
        (provider) => html`<li>
          <button type="button" part="bank" data-choice=${provider.code} @click=${() => view.choose(provider.code)}>
            ${logoTemplate(provider.name, toLogoAddress(provider["logo"], logoOrigin))}
            <span class="name">${provider.name}</span>
            <span class="quiet">${provider.country}</span>
          </button>
        </li>`,
      )}
      ${found.length > limit ? html`<li class="more" aria-hidden="true"></li>` : nothing}
    </ul>`;
}

/** The arrow keys go from bank to bank. */
function moveInList(event: KeyboardEvent): void {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" } as const;
  const direction = step[event.key as keyof typeof step];
  if (!direction) return;
  event.preventDefault();
  const item = (event.target as HTMLElement).closest("li")?.[direction];
  item?.querySelector("button")?.focus();
}

/** In the search, the arrow down goes to the first bank, and Enter chooses the only bank. */
function goToList(event: KeyboardEvent): void {
  // These keys belong to the word that is being composed, as in Japanese.
  if (event.isComposing) return;
  const banks = (event.target as HTMLElement).getRootNode() as ShadowRoot;
  const buttons = banks.querySelectorAll<HTMLElement>(".banks button");
  if (event.key === "ArrowDown") {
    event.preventDefault();
    buttons[0]?.focus();
  } else if (event.key === "Enter" && buttons.length === 1) buttons[0]?.click();
}

/** A bank's logo over its initials, which show if there is no logo or it can't be loaded. */
export function logoTemplate(name: string, address: string | undefined): TemplateResult {
  return html`<span class="logo" part="logo" aria-hidden="true">
    ${toInitials(name)}
    ${address === undefined ? nothing : html`<img src=${address} alt="" loading="lazy" @error=${hide} />`}
  </span>`;
}

/** The address of a bank's logo, if it may be loaded. */
export function toLogoAddress(address: unknown, origin: string | undefined): string | undefined {
  const url = typeof address === "string" ? parseUrl(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return origin === undefined || url.origin === origin ? url.href : undefined;
}

function hide(event: Event): void {
  (event.target as HTMLImageElement).hidden = true;
}

function toInitials(name: string): string {
  const [first = "", second = ""] = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  return (first.charAt(0) + second.charAt(0)).toUpperCase();
}
