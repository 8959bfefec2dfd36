import { type AnyStateMachine, type EventObject, getInitialSnapshot, getNextSnapshot } from "xstate";
import type { LinkEvent } from "../../machines/link.ts";
import type { LoginEvent } from "../../machines/login.ts";
import { createBankClient } from "../api/client.ts";
import { linkMachineOf } from "../link/machine.ts";
import type { LinkSettings } from "../link/settings.ts";
import type { LinkSnapshot } from "../link/view.ts";
import { loginMachineOf } from "../login/machine.ts";
import type { LoginSnapshot } from "../login/view.ts";
import type { Action, LinkStepName, LoginStepName, RequestName } from "./path.ts";
import { ask, type Heard, notBegun } from "./scripted-bank.ts";
import type { Situation } from "./situation.ts";
import { type Standing, stepOf, viewOf } from "./standing.ts";

// Walked, never started: nothing is sent.
const client = createBankClient({ baseUrl: "http://sandbox.test", apiKey: "never-sent" });
export const walkedLogin = loginMachineOf(client);
export const walkedLink = linkMachineOf(client);

const requests: Readonly<Record<string, RequestName>> = {
  submitCredentials: "POST /login/",
  listClients: "GET /client/",
  selectClient: "GET /client/{id}/",
  closeSession: "GET /logout/",
  listProviders: "GET /provider/",
  getProvider: "GET /provider/{code}/",
  narrowChoices: "GET /provider/{code}/?key={field}&value={chosen}",
  listDestinations: "GET /transfer/destinations",
};
const waits = ["interactionDeadline", "choiceDeadline"];

/** A transition, and the step that the screen showed when it was taken. */
export interface Taken {
  readonly step: LoginStepName | LinkStepName;
  readonly flow: "login" | "link";
  readonly source: string;
  readonly event: string;
  /** Which of the event's rows, 1 for the first. */
  readonly row: number;
}

/**
 * The statecharts in a situation, without anything that runs: what the person does is told to them by the verbs of the view,
 * and the bank answers at once what the situation says, until the screen is at rest.
 */
export class Rehearsal {
  readonly taken: Taken[] = [];
  readonly #situation: Situation;
  #standing: Standing;
  // What has been asked of the bank, and is held where it is still there.
  static readonly #asked = new WeakSet<object>();

  private constructor(situation: Situation, standing: Standing) {
    this.#situation = situation;
    this.#standing = standing;
  }

  static start(flow: "login" | "link", situation: Situation, settings: LinkSettings): Rehearsal {
    const rehearsal = new Rehearsal(situation, {
      link: flow === "link" ? getInitialSnapshot(walkedLink, settings) : undefined,
      login: flow === "login" ? getInitialSnapshot(walkedLogin, settings) : undefined,
      bank: notBegun,
      filled: undefined,
    });
    rehearsal.#settle();
    return rehearsal;
  }

  /** Goes on from where a flow stands, which itself stays as it is. */
  static from(situation: Situation, standing: Standing): Rehearsal {
    return new Rehearsal(situation, standing);
  }

  get standing(): Standing {
    return this.#standing;
  }

  act(action: Action): void {
    const view = viewOf(this.#standing, (event) => this.#tell(event));
    switch (action.type) {
      case "choose":
        if ("choose" in view) view.choose(action.value);
        break;
      case "fill":
        this.#standing = { ...this.#standing, filled: action.values };
        if ("narrow" in view) {
          const [field, value] = Object.entries(this.#situation.account.fields ?? {})[0] ?? [];
          if (field !== undefined && value !== undefined) view.narrow?.(field, value);
        }
        break;
      case "submit":
        if ("submit" in view) view.submit(this.#standing.filled ?? {});
        break;
      case "answer":
        if ("answer" in view) view.answer(action.text);
        break;
      case "wait":
        for (const id of waits.filter((id) => id in (this.#standing.login?.children ?? {}))) {
          this.#tellLogin(heardEvent(id, { output: undefined }));
        }
        break;
      default: {
        const verb: unknown = (view as unknown as Readonly<Record<string, unknown>>)[action.type];
        if (typeof verb === "function") verb();
      }
    }
    if (action.type !== "fill") this.#standing = { ...this.#standing, filled: undefined };
    this.#settle();
  }

  /** The bank answers whatever is asked, as long as it does. */
  #settle(): void {
    for (let pending = this.#pending(); pending; pending = this.#pending()) {
      const { id, request, tell, actor } = pending;
      Rehearsal.#asked.add(actor);
      const isFirst = request === "POST /login/" && this.#standing.login?.context.interaction === undefined;
      const [heard, bank] = ask(this.#situation, this.#standing.bank, request, isFirst);
      this.#standing = { ...this.#standing, bank };
      if (heard === "nothing") continue;
      tell(heardEvent(id, heard));
    }
  }

  #pending() {
    const { link, login } = this.#standing;
    const askers = [
      { children: login?.children ?? {}, tell: (event: EventObject) => this.#tellLogin(event) },
      { children: link?.children ?? {}, tell: (event: EventObject) => this.#tellLink(event) },
    ];
    for (const { children, tell } of askers) {
      for (const [id, actor] of Object.entries<object | undefined>(children)) {
        const request = requests[id];
        if (request && actor && !Rehearsal.#asked.has(actor)) return { id, request, tell, actor };
      }
    }
    return undefined;
  }

  #tell(event: LoginEvent | LinkEvent): void {
    if (this.#standing.link) this.#tellLink(event);
    else this.#tellLogin(event);
  }

  #tellLogin(event: EventObject): void {
    const before = this.#standing.login;
    if (!before) return;
    this.#write("login", walkedLogin, before, event);
    const login = getNextSnapshot(walkedLogin, before, event as LoginEvent);
    this.#standing = { ...this.#standing, login };
    if (!this.#standing.link || login === before) return;
    this.#tellLink({ type: "xstate.snapshot.login", snapshot: login } as EventObject);
    if (login.status === "done")
      this.#tellLink({ type: "xstate.done.actor.login", output: login.output } as EventObject);
  }

  #tellLink(event: EventObject): void {
    const before = this.#standing.link;
    if (!before) return;
    this.#write("link", walkedLink, before, event);
    const link = getNextSnapshot(walkedLink, before, event as LinkEvent);
    const had = before.children.login;
    const has = link.children.login;
    this.#standing = { ...this.#standing, link, login: has === had ? this.#standing.login : undefined };
    if (has && has !== had) {
      const login = getInitialSnapshot(walkedLogin, link.context.settings);
      this.#standing = { ...this.#standing, login };
      this.#tellLink({ type: "xstate.snapshot.login", snapshot: login } as EventObject);
    } else if (has && walkedLogin.events.includes(event.type as LoginEvent["type"])) {
      // As the link forwards it: the login within counts its own steps.
      this.#tellLogin({ ...event, stepNumber: undefined } as EventObject);
    }
  }

  #write(
    flow: Taken["flow"],
    machine: AnyStateMachine,
    before: LoginSnapshot | LinkSnapshot,
    event: EventObject,
  ): void {
    const step = stepOf(this.#standing);
    for (const transition of machine.getTransitionData(before, event)) {
      const { source, eventType } = transition;
      const row = (source.transitions.get(eventType) ?? []).indexOf(transition) + 1;
      this.taken.push({ step, flow, source: source.id, event: eventType, row });
    }
  }
}

function heardEvent(id: string, heard: Exclude<Heard, "nothing">): EventObject {
  return { type: `xstate.${"error" in heard ? "error" : "done"}.actor.${id}`, ...heard } as EventObject;
}
