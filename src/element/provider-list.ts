import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { LinkView } from "../view/link-view.ts";
import { type BankLoginTexts, fillIn } from "./component-texts.ts";

/** What the list of banks needs beside itself. */
export interface ProviderFilter {
  readonly search: {
    readonly text: string;
    /** In capitals or small letters. */
    readonly country: string;
    /** How many banks are shown. Where there are more, an element `.more` stands at their end. */
    readonly limit: number;
  };
  filter(search: { text?: string; country?: string }): void;
  /** Where the banks' pictures may come from; `undefined` is anywhere. */
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
  // A country that no bank is of would leave nothing to choose from, and could not be put back.
  const country = view.countries.find((code) => code.toLowerCase() === wanted.toLowerCase()) ?? "";
  const found = view.search({ text, country });
  return html`<div class="filters">
      ${searchTemplate(texts.search, text, (typed) => filter({ text: typed }))}
      ${
        view.countries.length > 1
          ? html`<div class="field">
              <label for="country" part="label">${texts.country}</label>
              <select
                part="input"
                id="country"
                .value=${country}
                @change=${(event: Event) => filter({ country: (event.target as HTMLSelectElement).value })}
              >
                <option value="" ?selected=${country === ""}>${texts.everyCountry}</option>
                ${view.countries.map(
                  (code) =>
                    html`<option value=${code} ?selected=${code === country}>${countryName(code, locale)}</option>`,
                )}
              </select>
            </div>`
          : nothing
      }
    </div>
    <p class="announcement" role="status">${fillIn(texts.banksFound, { count: found.length })}</p>
    ${found.length === 0 ? html`<p class="quiet">${texts.noBank}</p>` : nothing}
    <ul class="banks" part="banks" @keydown=${moveInList}>
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

/** A text that is put in by the person and read by the component, such as a search. */
function searchTemplate(label: string, value: string, typed: (value: string) => void): TemplateResult {
  return html`<div class="field">
    <label for="search" part="label">${label}</label>
    <input
      part="input"
      id="search"
      type="search"
      autocomplete="off"
      .value=${value}
      @input=${(event: Event) => typed((event.target as HTMLInputElement).value)}
      @keydown=${goToList}
    />
  </div>`;
}

/** From the search the arrow goes down to the first bank, and Enter chooses it where it is the only one. */
function goToList(event: KeyboardEvent): void {
  const banks = (event.target as HTMLElement).getRootNode() as ShadowRoot;
  const buttons = banks.querySelectorAll<HTMLElement>(".banks button");
  if (event.key === "ArrowDown") {
    event.preventDefault();
    buttons[0]?.focus();
  } else if (event.key === "Enter" && buttons.length === 1) buttons[0]?.click();
}

/** A bank's picture over its initials, which stay where there is none or it can't be loaded. */
export function logoTemplate(name: string, address: string | undefined): TemplateResult {
  return html`<span class="logo" part="logo" aria-hidden="true">
    ${toInitials(name)}
    ${address === undefined ? nothing : html`<img src=${address} alt="" loading="lazy" @error=${hide} />`}
  </span>`;
}

/** The address of a bank's picture, where it may be loaded from there. */
export function toLogoAddress(address: unknown, origin: string | undefined): string | undefined {
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  return origin === undefined || url.origin === origin ? address : undefined;
}

function hide(event: Event): void {
  (event.target as HTMLImageElement).hidden = true;
}

function toInitials(name: string): string {
  const [first = "", second = ""] = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  return (first.charAt(0) + second.charAt(0)).toUpperCase();
}

function countryName(code: string, locale: string): string {
  // What is no country code stays as the service writes it.
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([locale], { type: "region", fallback: "code" }).of(code) ?? code;
}
