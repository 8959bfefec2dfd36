import type { LitElement, ReactiveController } from "lit";
import { findSpoken } from "../../core/texts/languages.ts";

/** The language of the page around the component; the component is drawn again when it changes. */
export class PageLocale implements ReactiveController {
  readonly #host: LitElement;
  #observer: MutationObserver | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer = new MutationObserver(() => this.#host.requestUpdate());
    this.#observer.observe(this.#host.ownerDocument.documentElement, { attributeFilter: ["lang"] });
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }

  /** The language of the page, if there are texts in it. */
  find(): string | undefined {
    // On a server an element is not in a page, and has no `closest`. Within another component it finds no element of the page.
    const around = this.#host.closest?.("[lang]") ?? this.#host.ownerDocument?.documentElement;
    return findSpoken(around?.getAttribute("lang") ?? undefined);
  }
}
