import type { Simulation } from "./simulation.ts";

/** Longer than a text that a screen may cut. */
const LONG = 200;

/** What a person sees: its kind, and its content. */
interface Seen {
  readonly kind: string;
  readonly content: string;
}

// The kinds that a screen may still show after a change.
const staying = ["failure", "question", "clients", "form", "failure around the login", "long text"];

/**
 * The ordered pairs of what a person sees before and at the end of a path: what a screen may still show, and what follows, such as
 * `failure → clients`. Two of the same kind are a pair only if their contents differ.
 */
export function listPairs(end: Simulation): readonly string[] {
  const now = listSeen(end);
  const before = end.before.flatMap(listSeen).filter(({ kind }) => staying.includes(kind));
  return before.flatMap((earlier) =>
    now
      .filter(({ kind, content }) => (kind === earlier.kind ? content !== earlier.content : isPair(earlier.kind, kind)))
      .map(({ kind }) => `${earlier.kind} → ${kind === earlier.kind ? `another ${kind}` : kind}`),
  );
}

/** A short text may replace a long one; other contents make a pair with what follows. */
const isPair = (before: string, after: string): boolean => (before === "long text") === (after === "short text");

function listSeen({ view }: Simulation): readonly Seen[] {
  if (view.busy) return [{ kind: "request", content: view.state === "submitting" ? view.request : view.state }];
  switch (view.state) {
    case "failed":
      return [{ kind: "failure", content: view.failure.code }];
    case "linkFailed":
      return [{ kind: "failure around the login", content: view.failure.code }];
    case "awaitingInteraction":
      return [{ kind: "question", content: view.question.text }, toSize(view.question.text)];
    case "selectClient": {
      const names = view.clients.map(({ name }) => name).join();
      return [{ kind: "clients", content: names }, toSize(names)];
    }
    case "idle": {
      const content = "bank" in view ? (view.bank?.code ?? "") : "";
      return [{ kind: "form", content }];
    }
    case "loggedIn":
    case "linked":
      return [{ kind: "session", content: "" }];
    default:
      return [{ kind: view.state, content: "" }];
  }
}

const toSize = (text: string): Seen => ({ kind: text.length > LONG ? "long text" : "short text", content: "" });
