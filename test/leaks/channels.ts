import { inspect } from "node:util";
import { getStateNodes } from "@xstate/graph";
import superjson from "superjson";
import { type BankClientOptions, type LinkView, type LoginView, linkView, loginView } from "ventanilla";
import { onTestFinished, vi } from "vitest";
import { type AnyActor, type AnyActorLogic, type InspectionEvent, StateMachine } from "xstate";
import { type Canary, findCanaries, type Seen } from "./canaries.ts";

/** Where something can be seen. */
export type Source =
  | "inspection"
  | "snapshot"
  | "persisted snapshot"
  | "emitted event"
  | "statechart"
  | "view"
  | "form issue"
  | "error"
  | "outcome"
  | "sealed token"
  | "token error"
  | "handler"
  | "request hook"
  | "relay event"
  | "app message"
  | "console"
  | "output"
  | "process event";

/** One way out: what is seen at a source, in one form. */
export interface Channel {
  readonly source: Source;
  readonly form: keyof typeof forms;
}

const forms = {
  /** The value and all that can be reached from it. */
  raw: (value: unknown) => value,
  /** What a log or a devtools protocol makes of it. */
  json,
  /** What a framework sends from server to browser: JSON that knows of Maps, Sets, errors, undefined. */
  superjson: (value: unknown) => json(superjson.serialize(value)),
  /** What `postMessage` and a browser's storage make of it, or of the members that can be cloned. */
  cloned: (value: unknown) => cloned(value, 4),
  /** What a terminal shows at its most talkative. */
  printed: (value: unknown) => printed(value, Number.POSITIVE_INFINITY),
  /** The same of actors and what holds them: further down they are printed over and over, without end. */
  "printed in part": (value: unknown) => printed(value, 2),
  /** What anybody reads of a token without its key. */
  decoded: (value: unknown) =>
    String(value)
      .split(".")
      .map((part) => Buffer.from(part, "base64url").toString("latin1")),
};

function json(value: unknown): string {
  const seen = new Set<unknown>();
  return JSON.stringify(value, (_, member) => {
    if (typeof member !== "object" || member === null) return member;
    if (seen.has(member)) return undefined;
    seen.add(member);
    return member;
  });
}

function cloned(value: unknown, depth: number): unknown {
  // Actors and statecharts are full of functions.
  if (typeof value === "object" && value !== null && ("send" in value || "config" in value)) return undefined;
  try {
    return structuredClone(value);
  } catch {
    if (typeof value !== "object" || value === null || depth === 0) return undefined;
    return Object.values(value).map((member) => cloned(member, depth - 1));
  }
}

function printed(value: unknown, depth: number): string {
  return inspect(value, { showHidden: true, showProxy: true, depth, maxArrayLength: null, maxStringLength: null });
}

/** The table of all channels. A new way out is a row here, and a plant in the positive control. */
export const channels: readonly Channel[] = [
  { source: "inspection", form: "raw" },
  { source: "inspection", form: "json" },
  { source: "inspection", form: "superjson" },
  { source: "inspection", form: "cloned" },
  { source: "inspection", form: "printed in part" },
  { source: "snapshot", form: "raw" },
  { source: "snapshot", form: "json" },
  { source: "snapshot", form: "superjson" },
  { source: "snapshot", form: "cloned" },
  { source: "snapshot", form: "printed in part" },
  { source: "persisted snapshot", form: "raw" },
  { source: "persisted snapshot", form: "json" },
  { source: "persisted snapshot", form: "superjson" },
  { source: "persisted snapshot", form: "cloned" },
  { source: "persisted snapshot", form: "printed" },
  { source: "emitted event", form: "raw" },
  { source: "emitted event", form: "json" },
  { source: "emitted event", form: "superjson" },
  { source: "emitted event", form: "printed" },
  { source: "statechart", form: "raw" },
  { source: "view", form: "raw" },
  { source: "view", form: "json" },
  { source: "view", form: "superjson" },
  { source: "view", form: "cloned" },
  { source: "view", form: "printed" },
  { source: "form issue", form: "raw" },
  { source: "form issue", form: "json" },
  { source: "form issue", form: "superjson" },
  { source: "form issue", form: "cloned" },
  { source: "form issue", form: "printed" },
  { source: "error", form: "raw" },
  { source: "error", form: "json" },
  { source: "error", form: "superjson" },
  { source: "error", form: "cloned" },
  { source: "error", form: "printed" },
  { source: "outcome", form: "raw" },
  { source: "outcome", form: "json" },
  { source: "outcome", form: "superjson" },
  { source: "outcome", form: "printed" },
  { source: "sealed token", form: "raw" },
  { source: "sealed token", form: "decoded" },
  { source: "token error", form: "raw" },
  { source: "token error", form: "json" },
  { source: "token error", form: "superjson" },
  { source: "token error", form: "cloned" },
  { source: "token error", form: "printed" },
  { source: "handler", form: "raw" },
  { source: "handler", form: "printed" },
  { source: "request hook", form: "raw" },
  { source: "relay event", form: "raw" },
  { source: "relay event", form: "json" },
  { source: "relay event", form: "printed" },
  { source: "app message", form: "raw" },
  { source: "console", form: "raw" },
  { source: "console", form: "printed" },
  { source: "output", form: "raw" },
  { source: "process event", form: "raw" },
  { source: "process event", form: "printed" },
];

/** Where a leak would show first: for what is looked at so often that the other tests look everywhere. */
export const quickChannels = channels.filter(({ source, form }) => {
  const isLarge = source === "inspection" || source === "snapshot";
  return isLarge ? form === "raw" || form === "json" : form !== "cloned";
});

export interface Watch {
  /** For `createActor`. */
  readonly inspect: (event: InspectionEvent) => void;
  /** The same where the actor is created elsewhere: watches it and every statechart within as well. */
  readonly follow: (event: InspectionEvent) => void;
  /** For `createBankClient`. */
  readonly hooks: Pick<BankClientOptions, "onRequest" | "onResponse">;
  /**
   * Looks at every snapshot, stored and live, at what a screen shows of it, and at every emitted event, of an actor that
   * has not started.
   */
  actor(actor: AnyActor): void;
  /** Looks at one value. */
  see(source: Source, value: unknown): void;
  /** Stops looking, until it is called with `true`. */
  look(isLooking: boolean): void;
  /** How often something was seen there. */
  sightings(source: Source): number;
  /** `<source>, <form>: <canary> at <path>`, once each. */
  findings(): string[];
}

/**
 * Watches for the rest of the test.
 *
 * @param watched the channels that are looked at. Default all.
 */
export function watch(canaries: readonly Canary[], watched: readonly Channel[] = channels): Watch {
  const findings = new Set<string>();
  const sightings = new Map<Source, number>();
  // Statecharts are large and hang on everything of an actor: they are looked at on their own, at the end.
  const statecharts = new Set<unknown>();
  let isLooking = true;
  // Each event leads to its actor and to all that the actor has. In one turn of the event loop that is looked at once: what has
  // changed since comes with an event of its own.
  let looked: Set<unknown> | undefined;
  const turn = () => {
    if (!looked) setImmediate(() => (looked = undefined));
    looked ??= new Set();
    return looked;
  };
  const see = (source: Source, value: unknown) => {
    if (!isLooking) return;
    sightings.set(source, (sightings.get(source) ?? 0) + 1);
    for (const channel of watched) {
      if (channel.source !== source) continue;
      const seen =
        source === "statechart" ? new Set() : since(statecharts, source === "inspection" ? turn() : new Set());
      for (const finding of findCanaries(forms[channel.form](value), canaries, seen)) {
        findings.add(`${source}, ${channel.form}: ${finding}`);
      }
    }
  };
  watchConsole(see);
  watchProcess(see);
  const inspectEvent = (event: InspectionEvent) => see("inspection", event);
  const watchActor = (actor: AnyActor) => {
    addStatechart(actor.logic, statecharts);
    actor.on("*", (event) => see("emitted event", event));
    const look = () => {
      see("snapshot", actor.getSnapshot());
      see("persisted snapshot", actor.getPersistedSnapshot());
      const view = viewOf(actor);
      if (view) {
        see("view", view);
        lookAtForm(view, canaries, see);
      }
    };
    actor.subscribe({ next: look, complete: look, error: (error) => see("error", error) });
  };
  return {
    see,
    inspect: inspectEvent,
    follow: (event) => {
      if (event.type === "@xstate.actor" && isStatechart(event.actorRef)) watchActor(event.actorRef);
      if (event.type === "@xstate.event" && "error" in event.event) see("error", event.event["error"]);
      inspectEvent(event);
    },
    hooks: {
      onRequest: (event) => see("request hook", event),
      onResponse: (event) => see("request hook", event),
    },
    actor: watchActor,
    look: (isToLook) => {
      isLooking = isToLook;
    },
    sightings: (source) => sightings.get(source) ?? 0,
    findings: () => [...findings],
  };
}

/** What a screen shows of an actor; nothing it could do is sent. */
function viewOf(actor: AnyActor): LoginView | LinkView | undefined {
  const send = () => {};
  if (actor.logic.id === "login") return loginView(actor.getSnapshot(), send, { provider: "test" });
  if (actor.logic.id === "link") return linkView(actor.getSnapshot(), send);
  return undefined;
}

/** What a form says to canaries that were typed in the wrong place, and to a form that is not whole. */
function lookAtForm(view: LoginView | LinkView, canaries: readonly Canary[], see: Watch["see"]): void {
  if (!("form" in view)) return;
  const [first, ...others] = view.form.fields.map(({ name }, index) => [name, canaries[index]?.value] as const);
  const typed: unknown[] = [
    Object.fromEntries(others),
    Object.fromEntries([first ?? [], ...others].map(([name, value]) => [name, { value }])),
    canaries[0]?.value,
  ];
  for (const values of typed) see("form issue", view.form.schema["~standard"].validate(values));
  try {
    view.submit(Object.fromEntries(others.map(([name, value = ""]) => [name, value])));
  } catch (error) {
    see("error", error);
  }
}

/** Whatever hangs on a statechart; its `definition` is left out, which is made anew each time. */
function addStatechart(logic: AnyActorLogic, statecharts: Set<unknown>): void {
  if (!(logic instanceof StateMachine)) return;
  statecharts.add(logic);
  for (const slot of Object.values(logic.implementations.actors)) statecharts.add(slot);
  for (const node of [logic.root, ...getStateNodes(logic)]) {
    statecharts.add(node);
    for (const transition of [...node.transitions.values()].flat()) statecharts.add(transition);
  }
}

const isStatechart = (actor: object): actor is AnyActor => "logic" in actor && actor.logic instanceof StateMachine;

/** Everything but what is known already. */
function since(known: Seen, seen: Set<unknown>): Seen {
  return { has: (one) => known.has(one) || seen.has(one), add: (one) => seen.add(one) };
}

function watchConsole(see: Watch["see"]): void {
  const methods = Object.entries(console).filter(([, method]) => typeof method === "function");
  for (const [name] of methods) {
    vi.spyOn(console, name as "log").mockImplementation((...values) => see("console", values));
  }
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      see("output", text);
      return true;
    });
  }
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
}

function watchProcess(see: Watch["see"]): void {
  for (const name of ["warning", "unhandledRejection", "uncaughtException"]) {
    const others = process.rawListeners(name);
    const listen = (...values: unknown[]) => see("process event", values);
    process.removeAllListeners(name);
    process.on(name, listen);
    onTestFinished(() => {
      process.off(name, listen);
      for (const other of others) process.on(name, other as () => void);
    });
  }
}
