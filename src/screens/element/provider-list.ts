import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type BankLoginTexts, fillIn, type LanguageOptions, readLanguage } from "../../core/texts/languages.ts";
import type { LinkView } from "../../core/view/link-view.ts";
import type { ProviderAliases } from "../../core/view/provider-search.ts";
import { bankFaceTemplate, type Logos } from "./bank-face.ts";
import type { ListSearch } from "./list-search.ts";
import { drawIcon } from "./step-templates.ts";

/** The search of the list of banks, and its settings. */
export interface ProviderFilter {
  readonly banks: ListSearch;
  /** Other names of the banks. */
  readonly aliases: ProviderAliases | undefined;
  /** The person has ended a search that found nothing. */
  missed(search: { text: string; country: string }): void;
  readonly logos: Logos;
}

/** The list of banks, its search and its filter by country. */
export function providersTemplate(
  view: Extract<LinkView, { state: "choosingProvider" }>,
  {
    texts,
    language,
    banks,
    aliases,
    missed,
    logos,
  }: ProviderFilter & { readonly texts: BankLoginTexts; readonly language: LanguageOptions },
): TemplateResult {
  const { text, country: wanted, limit } = banks.filter;
  // A country without banks would leave nothing to choose, and could not be changed.
  const country = view.countries.find((code) => code.toLowerCase() === wanted.toLowerCase()) ?? "";
  const found =
    text.trim() === ""
      ? banks.sort(view.providers).filter((provider) => country === "" || provider.country === country)
      : view.search({ text, country, aliases });
  const locale = readLanguage(language);
  const names = new Intl.DisplayNames([locale], { type: "region" });
  // The service may send something else than a code.
  const nameOf = (code: string) => (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code;
  const countries = view.countries.map((code) => ({ code, name: nameOf(code) }));
  countries.sort((one, other) => one.name.localeCompare(other.name, locale));
  const isCountryNamed = country === "" && countries.length > 1;
  return html`<div class="filters">
      ${searchTemplate(banks, texts, () => found.length === 0 && missed({ text, country }))}
    ${
      countries.length > 1
        ? html`<select
            part="input"
            id="country"
            aria-label=${texts.country}
            .value=${country}
            @change=${(event: Event) => banks.change({ country: (event.target as HTMLSelectElement).value })}
          >
            <option value="" ?selected=${country === ""}>${country === "" ? texts.country : texts.everyCountry}</option>
            ${countries.map(
              ({ code, name }) => html`<option value=${code} ?selected=${code === country}>${name}</option>`,
            )}
          </select>`
        : nothing
    }
    </div>
    <p class="announcement" role="status">${fillIn(texts.banksFound, { count: found.length })}</p>
    ${found.length === 0 ? nothingTemplate(texts, country, banks) : nothing}
    <ul
      class="list banks"
      part="banks"
      tabindex="-1"
      @keydown=${(event: KeyboardEvent) =>
        banks.move(
          event,
          found.map(({ name }) => name),
        )}
    >
      ${repeat(
        found.slice(0, limit),
        ({ code }) => code,
        (provider) => html`<li>
          <button type="button" part="bank" data-choice=${provider.code} @click=${() => view.choose(provider.code)}>
            ${bankFaceTemplate(provider, logos)}
            <span class="names">
              <span>${provider.name}</span>
              ${isCountryNamed ? html`<span class="quiet">${nameOf(provider.country)}</span>` : nothing}
            </span>
          </button>
        </li>`,
      )}
      ${found.length > limit ? html`<li class="more" aria-hidden="true"></li>` : nothing}
    </ul>`;
}

/** The field of a search. */
export function searchTemplate(list: ListSearch, texts: BankLoginTexts, ended?: () => void): TemplateResult {
  return html`<div class="entry search">
    ${drawIcon("", "m20 20-5-5M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 1 1 0-13")}
    <input
      part="input"
      id="search"
      type="search"
      autocomplete="off"
      enterkeyhint="search"
      aria-label=${texts.search}
      placeholder=${texts.search}
      .value=${list.filter.text}
      @input=${(event: Event) => list.change({ text: (event.target as HTMLInputElement).value })}
      @change=${() => ended?.()}
      @keydown=${list.leaveSearch}
    />
  </div>`;
}

/** What to do if a search finds nothing. The page may have more to offer. */
function nothingTemplate(texts: BankLoginTexts, country: string, banks: ListSearch): TemplateResult {
  const button = (text: string, search: Parameters<ListSearch["change"]>[0]) =>
    html`<button type="button" part="button" @click=${(event: Event) => clear(event, () => banks.change(search))}>${text}</button>`;
  return html`<div class="nothing" part="nothing">
    <p>${texts.noBank}</p>
    ${country === "" ? nothing : button(texts.searchEverywhere, { country: "" })} ${button(texts.clearSearch, { text: "" })}
    <slot name="bank-missing"></slot>
  </div>`;
}

/** The button goes away, so the focus goes on in the search. */
function clear({ target }: Event, search: () => void): void {
  const root = (target as HTMLElement).getRootNode() as ShadowRoot;
  search();
  root.querySelector<HTMLElement>("#search")?.focus();
}
