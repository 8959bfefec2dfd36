import { createActor, type InspectionEvent, type Snapshot } from "xstate";
import { linkMachine } from "../../../machines/link.ts";
import type { LinkSettings } from "../../../machines/link.types.ts";
import { loginMachine } from "../../../machines/login.ts";
import type { LoginSnapshot } from "../../core/login/login-state.ts";
import type { Locale } from "../../core/texts/languages.ts";
import { type LinkView, linkView } from "../../core/view/link-view.ts";
import { type LoginView, loginView } from "../../core/view/login-view.ts";
import { listTaken } from "../trace/xstate-private.ts";
import type { Action, Path } from "./path-types.ts";
import { perform } from "./run-path.ts";
import { type Scenario, toProviderDetail } from "./scenario.ts";
import { type BankProgress, ScriptedBank, toProgressKey } from "./scripted-bank.ts";
import { viewDriver } from "./view-driver.ts";

export interface Conditions {
  readonly flow: Path["flow"];
  readonly scenario: Scenario;
  readonly settings: LinkSettings;
}

/** The flow at its start or after an action: it waits for a person, or for a held request. */
export interface Simulation {
  readonly conditions: Conditions;
  /** The action; `undefined` at the start. */
  readonly action: Action | undefined;
  /** The simulations from the start to this one. */
  readonly before: readonly Simulation[];
  readonly view: LoginView | LinkView;
  /** The view in another language. */
  readonly look: (locale: Locale) => LoginView | LinkView;
  readonly progress: BankProgress;
  /** Distinguishes the states of the graph. */
  readonly state: string;
  /** The transitions of the action. */
  readonly transitions: readonly Transition[];
  /** Where the next action begins. */
  readonly snapshot: Snapshot<unknown>;
}

/** The code of the bank that is chosen; `undefined` for none, and at a login. */
export const readBank = (view: Simulation["view"]): string | undefined =>
  "bank" in view ? view.bank?.code : undefined;

/** A transition that was taken. */
interface Transition {
  readonly source: string;
  readonly event: string;
  /** Its place among the event's transitions, which differ by their guards; 1 for the first. */
  readonly place: number;
}

/** Runs a flow on the scripted bank of a scenario: its start, or one more action after a simulation. */
export type Simulate = (conditions: Conditions, after?: Simulation, action?: Action) => Simulation;

/** Providing a statechart with actors takes longer than a simulation, so one simulator serves many. */
export function createSimulator(): Simulate {
  const bank = new ScriptedBank();
  const login = loginMachine.provide({ actors: bank.loginActors });
  const machines: Machines = { login, link: linkMachine.provide({ actors: { ...bank.linkActors, login } }) };
  return (...simulated) => simulate(bank, machines, ...simulated);
}

interface Machines {
  readonly login: typeof loginMachine;
  readonly link: typeof linkMachine;
}

function simulate(
  bank: ScriptedBank,
  { login, link }: Machines,
  conditions: Conditions,
  after?: Simulation,
  action?: Action,
): Simulation {
  const { flow, scenario, settings } = conditions;
  // A filled-in form is not part of a snapshot: it is filled in again.
  const isFilledIn = after?.action?.type === "fill";
  const from = isFilledIn ? after?.before.at(-1) : after;
  bank.begin(scenario, from?.progress);
  let transitions: Transition[] = [];
  const inspect = (event: InspectionEvent) => {
    if (event.type !== "@xstate.microstep") return;
    for (const transition of listTaken(event)) {
      const { source, eventType } = transition;
      const place = (source.transitions.get(eventType) ?? []).indexOf(transition) + 1;
      transitions.push({ source: source.id, event: eventType, place });
    }
  };
  const options = { input: settings, inspect, ...(from && { snapshot: from.snapshot }) };
  const { look, readKey, store } = flow === "link" ? openLink(link, options) : openLogin(login, options, scenario);
  const driver = viewDriver(look);
  for (const next of [isFilledIn ? after?.action : undefined, action]) {
    if (!next) continue;
    transitions = [];
    if (next.type === "wait") bank.runOutOfTime();
    else perform(driver, next);
  }
  const view = look();
  const { progress } = bank;
  return {
    conditions,
    action,
    before: after ? [...after.before, after] : [],
    view,
    look,
    progress,
    state: JSON.stringify([readKey(), toProgressKey(scenario, progress), action?.type === "fill"]),
    transitions,
    snapshot: store(),
  };
}

interface ActorOptions {
  readonly input: LinkSettings;
  readonly inspect: (event: InspectionEvent) => void;
  /** The snapshot to continue from. Default: a new flow. */
  readonly snapshot?: Snapshot<unknown>;
}

function openLogin(login: Machines["login"], options: ActorOptions, scenario: Scenario) {
  const actor = createActor(login, options).start();
  const { provider } = scenario.account;
  const shown = { provider, detail: toProviderDetail(scenario, provider) };
  return {
    look: (locale: Locale = "en") => loginView(actor.getSnapshot(), actor, { ...shown, locale }),
    readKey: () => toLoginKey(actor.getSnapshot()),
    store: () => actor.getPersistedSnapshot(),
  };
}

function openLink(link: Machines["link"], options: ActorOptions) {
  const actor = createActor(link, options).start();
  return {
    look: (locale: Locale = "en") => linkView(actor.getSnapshot(), actor, { locale }),
    readKey: () => {
      const { value, context, children } = actor.getSnapshot();
      const { providers, provider, key } = context;
      const login = children.login && toLoginKey(children.login.getSnapshot());
      return [value, providers.length, provider, key !== undefined, login];
    },
    store: () => actor.getPersistedSnapshot(),
  };
}

function toLoginKey({ value, context }: Pick<LoginSnapshot, "value" | "context">) {
  const { interaction, failure, sessionReplaced } = context;
  return [value, interaction?.number, failure?.code, sessionReplaced];
}
