import type { LitElement, ReactiveController } from "lit";
import type { ProviderFilter } from "./provider-list.ts";

// Banks at a time: a list may have 50,000.
const PAGE = 50;

/** The search in the list of banks, and how many of the banks are drawn. */
export class BankList implements ReactiveController {
  search: ProviderFilter["search"] = { text: "", country: "", limit: PAGE };
  readonly #host: LitElement;
  #end: IntersectionObserver | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdated(): void {
    this.#end?.disconnect();
    const end = this.#host.renderRoot.querySelector(".more");
    if (!end) return;
    // More banks, as soon as the person sees the last one.
    this.#end ??= new IntersectionObserver(([end]) => {
      if (end?.isIntersecting) this.filter({ limit: this.search.limit + PAGE });
    });
    this.#end.observe(end);
  }

  hostDisconnected(): void {
    this.#end?.disconnect();
  }

  readonly filter = (search: Partial<ProviderFilter["search"]>): void => {
    this.search = { ...this.search, limit: PAGE, ...search };
    this.#host.requestUpdate();
  };
}
