import type { Span } from "@opentelemetry/api";
import type { Inspected } from "../statechart.ts";
import { type Outcome, setOutcome } from "./outcome.ts";

interface Open {
  readonly span: Span;
  readonly parent: Inspected | undefined;
  readonly within: Set<Inspected>;
  /** How it ends, so far. */
  outcome: Outcome;
}

/** The spans that are open, by their actors. A span ends once, and not before those within it. */
export class SpanTree {
  readonly #open = new WeakMap<Inspected, Open>();

  get(actor: Inspected | undefined): Span | undefined {
    return actor && this.#open.get(actor)?.span;
  }

  /** @param outcome how it ends if nothing else is said. */
  open(actor: Inspected, span: Span, outcome: Outcome, parent?: Inspected): void {
    this.#open.set(actor, { span, parent, within: new Set(), outcome });
    if (parent) this.#open.get(parent)?.within.add(actor);
  }

  /** Says how the span will end. */
  settle(actor: Inspected, outcome: Outcome): void {
    const open = this.#open.get(actor);
    if (open) open.outcome = outcome;
  }

  end(actor: Inspected, outcome?: Outcome): void {
    const open = this.#open.get(actor);
    if (!open) return;
    this.#open.delete(actor);
    if (open.parent) this.#open.get(open.parent)?.within.delete(actor);
    for (const child of open.within) this.end(child);
    setOutcome(open.span, outcome ?? open.outcome);
    open.span.end();
  }
}
