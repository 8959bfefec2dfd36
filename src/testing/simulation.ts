import { createActor, type InspectionEvent } from "xstate";
import { linkMachine } from "../../machines/link.ts";
import { loginMachine } from "../../machines/login.ts";
import type { Locale } from "../api/failures.ts";
import type { LinkSettings } from "../link/settings.ts";
import { type LinkView, linkView } from "../link/view.ts";
import { type LoginSnapshot, type LoginView, loginView } from "../login/view.ts";
import type { Action, Path, PathFailure } from "./path-types.ts";
import { perform } from "./run-path.ts";
import { type Scenario, toProviderDetail } from "./scenario.ts";
import { type BankProgress, ScriptedBank, toProgressKey } from "./scripted-bank.ts";
import { viewDriver } from "./view-driver.ts";

// One for all simulations: what a provided machine derives of its definition costs more than a simulation does.
const bank = new ScriptedBank();
const login = loginMachine.provide({ actors: bank.loginActors });
const link = linkMachine.provide({ actors: { ...bank.linkActors, login } });

/** Where some actions of a person lead to: the flow is at rest, or waits for a request that is held. */
export interface Simulation {
  readonly actions: readonly Action[];
  readonly view: LoginView | LinkView;
  /** What the screen shows of a failure. */
  readonly failure: PathFailure | undefined;
  readonly progress: BankProgress;
  /** What the further course depends on. */
  readonly state: string;
  /** The transitions that the last action brought about. */
  readonly transitions: readonly Transition[];
}

/** A transition that was taken. */
interface Transition {
  readonly source: string;
  readonly event: string;
  /** Which of the event's rows, 1 for the first: they are told apart by their guards. */
  readonly row: number;
}

/** Runs a flow from its beginning: the actors of the statecharts, on the scripted bank of a scenario. */
export function simulate(
  flow: Path["flow"],
  scenario: Scenario,
  settings: LinkSettings,
  actions: readonly Action[],
): Simulation {
  bank.begin(scenario);
  let transitions: Transition[] = [];
  const inspect = (event: InspectionEvent) => {
    if (event.type !== "@xstate.microstep") return;
    for (const transition of event._transitions) {
      const { source, eventType } = transition;
      const row = (source.transitions.get(eventType) ?? []).indexOf(transition) + 1;
      transitions.push({ source: source.id, event: eventType, row });
    }
  };
  const { look, facts } = (flow === "link" ? openLink : openLogin)(scenario, { input: settings, inspect });
  const driver = viewDriver(look);
  for (const action of actions) {
    transitions = [];
    if (action.type === "wait") bank.runOutOfTime();
    else perform(driver, action);
  }
  const { progress } = bank;
  const state = JSON.stringify([facts(), toProgressKey(scenario, progress), actions.at(-1)?.type === "fill"]);
  return { actions, view: look(), failure: toPathFailure(look), progress, state, transitions };
}

const locales = ["en", "es", "pt"] as const satisfies readonly Locale[];

function toPathFailure(look: (locale?: Locale) => LoginView | LinkView): PathFailure | undefined {
  const failures = locales.map(look).flatMap((view) => ("failure" in view ? [view.failure] : []));
  return failures[0] && { code: failures[0].code, texts: failures.map(({ text }) => text) };
}

interface ActorOptions {
  readonly input: LinkSettings;
  readonly inspect: (event: InspectionEvent) => void;
}

function openLogin({ account }: Scenario, options: ActorOptions) {
  const actor = createActor(login, options).start();
  const detail = toProviderDetail(account);
  return {
    look: (locale: Locale = "en") =>
      loginView(actor.getSnapshot(), actor.send, { provider: account.provider, detail, locale }),
    facts: () => loginFacts(actor.getSnapshot()),
  };
}

function openLink(_: Scenario, options: ActorOptions) {
  const actor = createActor(link, options).start();
  return {
    look: (locale: Locale = "en") => linkView(actor.getSnapshot(), actor.send, { locale }),
    facts: () => {
      const { value, context } = actor.getSnapshot();
      const { providers, provider, key, login } = context;
      return [value, providers.length, provider, key !== undefined, login && loginFacts(login)];
    },
  };
}

function loginFacts({ value, context }: Pick<LoginSnapshot, "value" | "context">) {
  const { interaction, failure, sessionReplaced } = context;
  return [value, interaction?.number, failure?.code, sessionReplaced];
}
