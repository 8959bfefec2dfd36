import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { ClientEntry } from "../../core/api/responses.ts";
import { type BankLoginTexts, fillIn } from "../../core/texts/languages.ts";
import { plain } from "../../core/view/provider-search.ts";
import type { ListSearch } from "./list-search.ts";
import { searchTemplate } from "./provider-list.ts";

// A longer list has a search.
const SHORT = 7;

/** The clients to choose from. Where names repeat, the ids tell them apart. */
export function clientsTemplate(
  clients: readonly ClientEntry[],
  list: ListSearch,
  texts: BankLoginTexts,
  choose: (id: string) => void,
): TemplateResult {
  const isLong = clients.length > SHORT;
  const found = isLong ? findClients(clients, list.filter.text) : clients;
  const isAmbiguous = new Set(clients.map(({ name }) => plain(name))).size < clients.length;
  return html`${
    isLong
      ? html`<div class="filters">${searchTemplate(list, texts)}</div>
          <p class="announcement" role="status">${fillIn(texts.clientsFound, { count: found.length })}</p>`
      : nothing
  }
    ${found.length === 0 ? html`<p class="quiet" part="nothing">${texts.noClient}</p>` : nothing}
    <ul
      class=${isLong ? "list clients" : "clients"}
      @keydown=${(event: KeyboardEvent) =>
        list.move(
          event,
          found.map(({ name }) => name),
        )}
    >
      ${repeat(
        found.slice(0, list.filter.limit),
        ({ id }) => id,
        ({ id, name }) => html`<li>
          <button type="button" part="client" data-choice=${id} @click=${() => choose(id)}>
            <span class="names">
              <span>${name}</span>
              ${isAmbiguous ? html`<span class="quiet">${id}</span>` : nothing}
            </span>
          </button>
        </li>`,
      )}
      ${found.length > list.filter.limit ? html`<li class="more" aria-hidden="true"></li>` : nothing}
    </ul>`;
}

/** The clients whose name and id have each word. */
function findClients(clients: readonly ClientEntry[], text: string): readonly ClientEntry[] {
  const words = plain(text.slice(0, 200)).split(/\s+/);
  return clients.filter(({ id, name }) => words.every((word) => plain(`${name} ${id}`).includes(word)));
}
