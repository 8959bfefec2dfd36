import type { LitElement, ReactiveController } from "lit";
import type { Actor } from "xstate";
import type { linkMachine } from "../../../machines/link.ts";
import type { BankClient } from "../../core/api/client.ts";
import { type LinkView, linkView } from "../../core/view/link-view.ts";
import { createLinkActor, type LinkScreenOptions } from "../../core/view/screen-actor.ts";

/** Runs the link flow while the component is on the page. */
export class FlowController implements ReactiveController {
  readonly #host: LitElement;
  readonly #readInput: () => { client: BankClient; options: LinkScreenOptions } | undefined;
  #actor: Actor<typeof linkMachine> | undefined;

  /** @param readInput returns nothing before the component knows its relay. */
  constructor(host: LitElement, readInput: () => { client: BankClient; options: LinkScreenOptions } | undefined) {
    this.#host = host;
    this.#readInput = readInput;
    host.addController(this);
  }

  hostConnected(): void {
    // The properties of the component are read at its first update.
    this.#host.requestUpdate();
  }

  hostUpdate(): void {
    if (!this.#actor) this.start();
  }

  hostDisconnected(): void {
    // A component that is moved within the page is removed and added again at once.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#stop();
      // Drawn once more, so that what was typed leaves the memory.
      this.#host.requestUpdate();
    });
  }

  /** Starts again: aborts the request that runs, and keeps nothing of the login unless its account may come back. */
  start({ keepsLogin = false } = {}): void {
    if (!keepsLogin && this.#actor?.getSnapshot().status === "active") this.#actor.send({ type: "link.cancel" });
    this.#stop();
    const input = this.#host.isConnected ? this.#readInput() : undefined;
    if (!input) return;
    this.#actor = createLinkActor(input.client, input.options);
    this.#actor.subscribe(() => this.#host.requestUpdate());
    this.#actor.start();
  }

  /** The view of the flow; nothing before the component knows its relay. */
  view(options: LinkScreenOptions): LinkView | undefined {
    return this.#actor && linkView(this.#actor.getSnapshot(), this.#actor, options);
  }

  #stop(): void {
    this.#actor?.stop();
    this.#actor = undefined;
  }
}
