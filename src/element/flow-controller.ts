import type { ReactiveController, ReactiveControllerHost } from "lit";
import { type Actor, createActor } from "xstate";
import type { linkMachine } from "../../machines/link.ts";
import type { BankClient } from "../api/client.ts";
import { createLinkMachine } from "../link/create-link-machine.ts";
import { type LinkView, linkView } from "../view/link-view.ts";
import { createActorOptions, type LinkScreenOptions } from "../view/screen-options.ts";

/** Runs the link flow while the component is on the page. */
export class FlowController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #settings: () => { client: BankClient; options: LinkScreenOptions } | undefined;
  #actor: Actor<typeof linkMachine> | undefined;
  #generation = 0;

  constructor(
    host: ReactiveControllerHost & { readonly isConnected: boolean },
    settings: () => { client: BankClient; options: LinkScreenOptions } | undefined,
  ) {
    this.#host = host;
    this.#settings = settings;
    host.addController(this);
  }

  hostConnected(): void {
    // The host's own settings are read at its first update.
    this.#host.requestUpdate();
  }

  hostUpdate(): void {
    if (!this.#actor) this.begin();
  }

  hostDisconnected(): void {
    // Moving the component within the page takes it away and puts it back at once.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#stop();
      // What was typed goes with what was shown.
      this.#host.requestUpdate();
    });
  }

  /** Counts how often it was begun. */
  get generation(): number {
    return this.#generation;
  }

  /** Begins anew; what was under way is aborted. */
  begin(): void {
    this.#stop();
    this.#generation += 1;
    const settings = this.#host.isConnected ? this.#settings() : undefined;
    if (!settings) return;
    const actor = createActor(createLinkMachine(settings.client), createActorOptions(settings.options));
    this.#actor = actor;
    actor.subscribe(() => this.#host.requestUpdate());
    actor.start();
  }

  /** What to show; nothing before the component knows whom to ask. */
  view(options: LinkScreenOptions): LinkView | undefined {
    return this.#actor && linkView(this.#actor.getSnapshot(), this.#actor.send, options);
  }

  #stop(): void {
    this.#actor?.stop();
    this.#actor = undefined;
  }
}
