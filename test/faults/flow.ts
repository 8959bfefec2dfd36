import { type BankClient, createLinkMachine, createLoginMachine, type Failure, type LoginSettings } from "ventanilla";
import type { LinkEvent, linkMachine } from "ventanilla/machines/link";
import type { LoginEvent, loginMachine } from "ventanilla/machines/login";
import { type Actor, createActor, type InspectionEvent, waitFor } from "xstate";

type LoginActor = Actor<typeof loginMachine>;
type LinkActor = Actor<typeof linkMachine>;

/** The events that lead somewhere, each with the state in which it is sent. */
export type Path<Event> = readonly (readonly [state: string, event: Event])[];

/** Somebody who looks on, and may have other words for what is sent. */
export interface Onlooker {
  readonly inspect: (event: InspectionEvent) => void;
  readonly change: <Event extends LinkEvent>(event: Event) => Event;
}

const nobody: Onlooker = { inspect: () => {}, change: (event) => event };

/** A login or a link under way, as far as these tests look at it. */
export interface Flow {
  /** `selectClient.listing`: the name of the state it is in. */
  state(): string;
  failure(): Failure | undefined;
  /** What is left of the session key and the credentials. */
  left(): readonly unknown[];
  /** The first of these states that is reached. */
  until(...states: readonly string[]): Promise<string>;
  cancel(): void;
  stop(): void;
}

/** Brings a login to the last event of a path. @param then called right after it, before anything else can happen. */
export async function driveLogin(
  client: BankClient,
  settings: LoginSettings,
  path: Path<LoginEvent>,
  then?: (flow: Flow) => void,
  { inspect, change } = nobody,
): Promise<Flow> {
  const actor = createActor(createLoginMachine(client), { input: settings, inspect }).start();
  const flow = toFlow(actor, () => actor.send({ type: "login.cancel" }));
  for (const [state, event] of path) {
    if (flow.state() !== state) await flow.until(state);
    actor.send(change(event));
  }
  then?.(flow);
  return flow;
}

/** Brings a link to the last event of a path. @param then called right after it, before anything else can happen. */
export async function driveLink(
  client: BankClient,
  path: Path<LinkEvent>,
  then?: (flow: Flow) => void,
  { inspect, change } = nobody,
): Promise<Flow> {
  const actor = createActor(createLinkMachine(client), { input: {}, inspect }).start();
  const flow = toFlow(actor, () => actor.send({ type: "link.cancel" }));
  for (const [state, event] of path) {
    if (flow.state() !== state) await flow.until(state);
    actor.send(change(event));
  }
  then?.(flow);
  return flow;
}

function toFlow(actor: LoginActor | LinkActor, cancel: () => void): Flow {
  const state = () => {
    const { value } = actor.getSnapshot();
    return typeof value === "string" ? value : Object.entries(value).flat().join(".");
  };
  return {
    state,
    failure: () => actor.getSnapshot().context.failure,
    left: () => {
      const { context } = actor.getSnapshot();
      const secrets = "credentials" in context ? [context.key, context.credentials, context.answer] : [context.key];
      return secrets.filter((secret) => secret !== undefined);
    },
    until: async (...states) => {
      await waitFor(actor, () => states.includes(state()));
      return state();
    },
    cancel,
    stop: () => actor.stop(),
  };
}
