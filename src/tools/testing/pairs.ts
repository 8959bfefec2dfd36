import type { Simulation } from "./simulation.ts";

/** Longer than a text that a screen may cut. */
const LONG = 200;

/** What a person sees: its kind, and what tells it from another of its kind. */
interface Seen {
  readonly kind: string;
  readonly content: string;
}

// What a screen may still show when something else is there.
const staying = ["failure", "question", "clients", "form", "failure around the login", "long text"];

/**
 * The ordered pairs of what a person sees at the end of a path and before it: what a screen may still show, and what comes after it, such as
 * `failure → clients`. Of the same kind only what differs makes a pair.
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

/** A short text may stand in the place of a long one; with what else comes after it, its question or its clients make the pair. */
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
