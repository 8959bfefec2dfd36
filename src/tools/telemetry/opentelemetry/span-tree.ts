import type { Span } from "@opentelemetry/api";
import type { InspectedActor } from "../../trace/traced-actors.ts";
import { type Outcome, setOutcome } from "./span-outcome.ts";

interface Open {
  readonly span: Span;
  readonly parent: InspectedActor | undefined;
  readonly within: Set<InspectedActor>;
  /** The outcome so far. */
  outcome: Outcome;
}

/** The open spans of actors. A span ends once, after the spans within it. */
export class SpanTree {
  readonly #open = new WeakMap<InspectedActor, Open>();

  get(actor: InspectedActor | undefined): Span | undefined {
    return actor && this.#open.get(actor)?.span;
  }

  /** @param outcome its outcome unless `settle` or `end` gives another one. */
  open(actor: InspectedActor, span: Span, outcome: Outcome, parent?: InspectedActor): void {
    this.#open.set(actor, { span, parent, within: new Set(), outcome });
    if (parent) this.#open.get(parent)?.within.add(actor);
  }

  /** Sets the outcome of the span. */
  settle(actor: InspectedActor, outcome: Outcome): void {
    const open = this.#open.get(actor);
    if (open) open.outcome = outcome;
  }

  end(actor: InspectedActor, outcome?: Outcome): void {
    const open = this.#open.get(actor);
    if (!open) return;
    this.#open.delete(actor);
    if (open.parent) this.#open.get(open.parent)?.within.delete(actor);
    for (const child of open.within) this.end(child);
    setOutcome(open.span, outcome ?? open.outcome);
    open.span.end();
  }
}
