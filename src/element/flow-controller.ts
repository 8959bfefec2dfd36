import type { ReactiveController, ReactiveControllerHost } from "lit";
import { type Actor, createActor } from "xstate";
import type { linkMachine } from "../../machines/link.ts";
import type { BankClient } from "../api/client.ts";
import { createLinkMachine } from "../link/machine.ts";
import type { LinkScreenOptions } from "../link/screen.ts";
import { type LinkView, linkView } from "../link/view.ts";
import { actorOptions } from "../login/screen.ts";

/** Runs the link flow while the component is on the page. */
export class Flow implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #opened: () => { client: BankClient; options: LinkScreenOptions } | undefined;
  #actor: Actor<typeof linkMachine> | undefined;
  #run = 0;

  constructor(
    host: ReactiveControllerHost & { readonly isConnected: boolean },
    opened: () => { client: BankClient; options: LinkScreenOptions } | undefined,
  ) {
    this.#host = host;
    this.#opened = opened;
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
      this.#end();
      // What was typed goes with what was shown.
      this.#host.requestUpdate();
    });
  }

  /** Counts how often it was begun. */
  get run(): number {
    return this.#run;
  }

  /** Begins anew; what was under way is aborted. */
  begin(): void {
    this.#end();
    this.#run += 1;
    const opened = this.#host.isConnected ? this.#opened() : undefined;
    if (!opened) return;
    const actor = createActor(createLinkMachine(opened.client), actorOptions(opened.options));
    this.#actor = actor;
    actor.subscribe(() => this.#host.requestUpdate());
    actor.start();
  }

  /** What to show; nothing before the component knows whom to ask. */
  view(options: LinkScreenOptions): LinkView | undefined {
    return this.#actor && linkView(this.#actor.getSnapshot(), this.#actor.send, options);
  }

  #end(): void {
    this.#actor?.stop();
    this.#actor = undefined;
  }
}
