import type { LitElement, ReactiveController } from "lit";
import type { ProviderEntry } from "../../../machines/provider.types.ts";
import { plain } from "../../core/view/provider-search.ts";

// Entries at a time: a list may have 50,000.
const PAGE = 20;
// The longest list that a single key draws in whole.
const LONG = 1000;

/** What a person searches for in a list. */
export interface ListFilter {
  readonly text: string;
  /** Of the banks alone, in capitals or small letters. */
  readonly country: string;
  /** How many entries are drawn. If there are more, an element `.more` follows the last one. */
  readonly limit: number;
}

/** The search in a list of banks or of clients, how many of its entries are drawn, and its keys. */
export class ListSearch implements ReactiveController {
  filter: ListFilter = { text: "", country: "", limit: PAGE };
  readonly #host: LitElement;
  readonly #list: string;
  #end: IntersectionObserver | undefined;
  #sorted: { readonly of: readonly ProviderEntry[]; readonly list: readonly ProviderEntry[] } | undefined;

  /** @param list the selector of the list. */
  constructor(host: LitElement, list: string) {
    this.#host = host;
    this.#list = list;
    host.addController(this);
  }

  hostUpdated(): void {
    this.#end?.disconnect();
    const end = this.#host.renderRoot.querySelector(`${this.#list} .more`);
    if (!end) return;
    // More entries, as soon as the person sees the last one.
    this.#end ??= new IntersectionObserver(([end]) => {
      if (end?.isIntersecting) this.change({ limit: this.filter.limit + PAGE });
    });
    this.#end.observe(end);
  }

  hostDisconnected(): void {
    this.#end?.disconnect();
  }

  readonly change = (filter: Partial<ListFilter>): void => {
    this.filter = { ...this.filter, limit: PAGE, ...filter };
    this.#host.requestUpdate();
  };

  /** The banks in an order that can be scanned. Kept, because a list is drawn at each key press. */
  sort(providers: readonly ProviderEntry[]): readonly ProviderEntry[] {
    if (this.#sorted?.of === providers) return this.#sorted.list;
    const named = providers.map((provider) => [plain(provider.name), provider] as const);
    named.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    const list = named.map(([, provider]) => provider);
    this.#sorted = { of: providers, list };
    return list;
  }

  /** In the search: the arrow down goes to the first entry, and Enter chooses the only one. */
  readonly leaveSearch = (event: KeyboardEvent): void => {
    // These keys belong to the word that is being composed, as in Japanese.
    if (event.isComposing) return;
    const entries = this.#readEntries();
    if (event.key === "ArrowDown") {
      event.preventDefault();
      entries[0]?.focus();
    } else if (event.key === "Enter" && entries.length === 1) entries[0]?.click();
  };

  /**
   * In the list: the arrows go from entry to entry, from the first one to the search; Home and End go to the ends, and a letter to the next entry
   * that begins with it.
   *
   * @param names of all entries that match, drawn or not.
   */
  async move(event: KeyboardEvent, names: readonly string[]): Promise<void> {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#readEntries().indexOf((event.target as Element).closest("button") as HTMLElement);
    const index = findIndex(names, at, event.key);
    if (index === undefined) return;
    event.preventDefault();
    if (index >= this.filter.limit) {
      // Of a very long list what is drawn is its end; the rest follows.
      if (index < LONG) this.change({ limit: index + PAGE });
      await this.#host.updateComplete;
    }
    const target = index < 0 ? this.#host.renderRoot.querySelector<HTMLElement>("#search") : this.#readEntries()[index];
    (target ?? this.#readEntries().at(-1))?.focus();
  }

  #readEntries(): readonly HTMLElement[] {
    return [...this.#host.renderRoot.querySelectorAll<HTMLElement>(`${this.#list} button`)];
  }
}

/** The entry to which a key goes; -1 is the search. */
function findIndex(names: readonly string[], at: number, key: string): number | undefined {
  const ends: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 };
  if (Object.hasOwn(ends, key)) return Math.min(ends[key] ?? 0, names.length - 1);
  if (!/^[\p{L}\p{N}]$/u.test(key)) return undefined;
  const begins = (name: string) => plain(name).startsWith(plain(key));
  const next = names.findIndex((name, index) => index > at && begins(name));
  return next >= 0 ? next : names.findIndex(begins) >= 0 ? names.findIndex(begins) : undefined;
}
