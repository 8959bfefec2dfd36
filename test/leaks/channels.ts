import { inspect } from "node:util";
import { getStateNodes } from "@xstate/graph";
import superjson from "superjson";
import { type LinkView, type LoginView, linkView, loginView } from "ventanilla";
import { inspectAll, lifecycleTelemetry } from "ventanilla/telemetry";
import { metricTelemetry } from "ventanilla/telemetry/opentelemetry";
import { onTestFinished, vi } from "vitest";
import { type AnyActor, type AnyActorLogic, type InspectionEvent, StateMachine } from "xstate";
import { watchMeter } from "../tools/telemetry/metrics.ts";
import { recorder } from "../tools/telemetry/spans.ts";
import { type Canary, findCanaries, type Seen } from "./canaries.ts";

const forms = {
  /** The value and all that can be reached from it. */
  raw: (value: unknown) => value,
  /** What a log or a devtools protocol makes of it. */
  json,
  /** What a framework sends from server to browser: JSON that knows of Maps, Sets, errors, undefined. */
  superjson: (value: unknown) => json(superjson.serialize(value)),
  /** What `postMessage` and a browser's storage make of it, or of its members that can be cloned. */
  cloned: (value: unknown) => withoutStacks(() => cloned(value, 4)),
  /** What `util.inspect` shows with every option on. */
  printed: (value: unknown) => printed(value, Number.POSITIVE_INFINITY),
  /** The same to a depth of 2, for what holds actors: further down they are printed over and over. */
  "printed in part": (value: unknown) => printed(value, 2),
  /** What can be read of a token without its key. */
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

/** What can't be cloned throws, very often, and a stack is mapped to the sources at a price. */
function withoutStacks<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function printed(value: unknown, depth: number): string {
  return inspect(value, { showHidden: true, showProxy: true, depth, maxArrayLength: null, maxStringLength: null });
}

type Form = keyof typeof forms;
type See = (source: Source, value: unknown) => void;

const structured = ["raw", "json", "superjson", "cloned"] as const;
const everyForm = [...structured, "printed"] as const;

/** Where a secret could leak, and in which forms that is searched. A new channel needs a planted leak in channels.test.ts. */
export const channels = {
  inspection: [...structured, "printed in part"],
  snapshot: [...structured, "printed in part"],
  "persisted snapshot": everyForm,
  "emitted event": ["raw", "json", "superjson", "printed"],
  statechart: ["raw"],
  view: everyForm,
  "form issue": everyForm,
  "lifecycle event": ["raw", "json", "printed"],
  span: ["raw", "json", "printed"],
  metric: ["raw", "json", "printed"],
  error: everyForm,
  outcome: ["raw", "json", "superjson", "printed"],
  "sealed token": ["raw", "decoded"],
  "token error": everyForm,
  handler: ["raw", "printed"],
  "request hook": ["raw"],
  "relay event": ["raw", "json", "printed"],
  "app message": ["raw"],
  // What a page keeps of a login, and what the instances of a relay share: sealed keys and responses.
  storage: ["raw", "decoded"],
  console: ["raw", "printed"],
  output: ["raw"],
  "process event": ["raw", "printed"],
} satisfies Record<string, readonly Form[]>;

export type Source = keyof typeof channels;

/**
 * What a person's screen is made from. The bank's texts are in it as they came, and nowhere else: a bank that repeats what it got is seen
 * here, and in no log, trace, span, metric, request hook or error.
 */
export const personal: readonly Source[] = [
  "snapshot",
  "persisted snapshot",
  "view",
  "outcome",
  "handler",
  "emitted event",
  // Of XState itself: it has complete snapshots. What ventanilla sends to an inspector is redacted, see test/tools/inspect.
  "inspection",
];

/** Sources that must stay silent. */
export const silent = ["console", "output", "process event"] as const;

/**
 * The forms that are cheap to search, for tests that look very often: all that can be reached, and what a log makes of it. What else a
 * platform makes of a value is up to the value's classes: scan.test.ts searches every form once for each surface.
 */
export const isQuick = (source: Source, form: Form): boolean =>
  ["inspection", "snapshot", "persisted snapshot", "view", "form issue"].includes(source)
    ? form === "raw" || form === "json"
    : form !== "cloned";

export type Watch = ReturnType<typeof watch>;

/**
 * Watches for the rest of the test.
 *
 * @param isWatched which channels are looked at. Default all.
 */
export function watch(canaries: readonly Canary[], isWatched: typeof isQuick = () => true) {
  const findings = new Set<string>();
  const sightings = new Map<Source, number>();
  // Statecharts are large, and every part of an actor leads to them: they are searched once, at the end.
  const statecharts = new Set<unknown>();
  let isLooking = true;
  // Each event leads to its actor and to all that the actor holds. That is searched once in a turn of the event loop: a later
  // change comes with another event.
  let looked: Set<unknown> | undefined;
  const turn = () => {
    if (!looked) setImmediate(() => (looked = undefined));
    looked ??= new Set();
    return looked;
  };
  const see: See = (source, value) => {
    if (!isLooking) return;
    sightings.set(source, (sightings.get(source) ?? 0) + 1);
    for (const form of channels[source]) {
      if (!isWatched(source, form)) continue;
      const seen =
        source === "statechart" ? new Set() : since(statecharts, source === "inspection" ? turn() : new Set());
      for (const finding of findCanaries(forms[form](value), canaries, seen)) {
        findings.add(`${source}, ${form}: ${finding}`);
      }
    }
  };
  watchConsole(see);
  watchProcess(see);
  const inspectEvent = (event: InspectionEvent) => see("inspection", event);
  const spans = recorder(({ name, attributes, events, status, links, resource }) =>
    see("span", { name, attributes, events, status, links, resource: resource.attributes }),
  );
  const metrics = metricTelemetry({ meter: watchMeter((measured) => see("metric", measured)) });
  const lifecycle = lifecycleTelemetry((event) => see("lifecycle event", event));
  const watchActor = (actor: AnyActor) => {
    addStatechart(actor.logic, statecharts);
    actor.on("*", (event) => see("emitted event", event));
    const look = () => {
      see("snapshot", actor.getSnapshot());
      see("persisted snapshot", actor.getPersistedSnapshot());
      const view = createView(actor);
      if (view) {
        see("view", view);
        lookAtForm(view, canaries, see);
      }
    };
    actor.subscribe({ next: look, complete: look, error: (error) => see("error", error) });
  };
  return {
    /** Searches one value. */
    see,
    /** For `createActor`. */
    inspect: inspectAll(inspectEvent, lifecycle, spans.inspect, metrics),
    /** The same for an actor that is created elsewhere: watches it, and every statechart within it. */
    follow: (event: InspectionEvent) => {
      if (event.type === "@xstate.actor" && isStatechart(event.actorRef)) watchActor(event.actorRef);
      if (event.type === "@xstate.event" && "error" in event.event) see("error", event.event["error"]);
      inspectEvent(event);
    },
    /** For `createBankClient`. */
    hooks: {
      onRequest: (event: object) => see("request hook", event),
      onResponse: (event: object) => see("request hook", event),
    },
    /** Watches an actor that has not started: each snapshot, live and stored, its view, and each emitted event. */
    actor: watchActor,
    /** Stops the search, until it is called with `true`. */
    look: (isToLook: boolean) => {
      isLooking = isToLook;
    },
    /** How many values were searched there. */
    sightings: (source: Source) => sightings.get(source) ?? 0,
    /** `<source>, <form>: <canary> at <path>`, once each. @param ignored the sources that may show them. */
    findings: (ignored: readonly Source[] = []) =>
      [...findings].filter((finding) => !ignored.some((source) => finding.startsWith(`${source},`))),
  };
}

/** What a screen shows of an actor; nothing it could do is sent. */
function createView(actor: AnyActor): LoginView | LinkView | undefined {
  const source = { getSnapshot: () => actor.getSnapshot(), send: () => {} };
  if (actor.logic.id === "login") return loginView(actor.getSnapshot(), source, { provider: "test" });
  if (actor.logic.id === "link") return linkView(actor.getSnapshot(), source);
  return undefined;
}

/** Sends the form canaries in the wrong fields and in the wrong shapes, and incomplete values, and searches what it responds. */
function lookAtForm(view: LoginView | LinkView, canaries: readonly Canary[], see: See): void {
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

/** Adds all parts of a statechart, except its `definition`, which is a new object each time. */
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

/** A set that also counts what is known already as seen. */
function since(known: Seen, seen: Set<unknown>): Seen {
  return { has: (one) => known.has(one) || seen.has(one), add: (one) => seen.add(one) };
}

function watchConsole(see: See): void {
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

function watchProcess(see: See): void {
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
