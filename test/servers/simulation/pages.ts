import { CONFIRMATION_FIELD, MARK_FIELD, toClientId } from "./bank.ts";
import { createUuid } from "./globals.ts";
import { SECRET, STRANGER, type Told } from "./history.ts";
import type { SimulatedNetwork } from "./network.ts";
import type { Cancelled, Instance, PageAccess, PageSubmit } from "./processes.ts";
import type { Owner } from "./schedule.ts";
import { TROUBLE, type World } from "./world.ts";

/** Milliseconds after the trouble by which each page has an end. */
const DEADLINE = TROUBLE + 400_000;

/** Forms and answers that a person sends before the page is closed. */
const SUBMIT_LIMIT = 3;
const STEP_LIMIT = 150;

/** Milliseconds after which a page is reloaded that waits for the response to a submit. */
const RELOAD = 1_200;

const THINKING = [1_500, 400, 8_000, 70_000];

type Question = Extract<Told, { kind: "question" }>;

/** Who is in front of a page, or of an app. Tabs share it. */
export interface Visitor extends Omit<PageAccess, "number"> {
  readonly person: string;
  stored: number;
  /** Of a stranger: whether the token is the owner's. */
  readonly hasToken?: boolean;
}

/** One page, from its opening to its end: what its script and its person do. */
export class Page {
  readonly #world: World;
  readonly #network: SimulatedNetwork;
  readonly #visitor: Visitor;
  readonly #owner: Owner;
  /** The last submit that the server has told of. */
  #lastSubmit = 0;
  #submits = 0;
  #last: PageSubmit | undefined;
  /** The number of the submit that this page waits for. */
  #asked = 0;
  #question: Question | undefined;
  /** Whether this page has answered the question that is repeated because the bank's app had approved. */
  #hasAnsweredAutomatically = false;

  constructor(world: World, network: SimulatedNetwork, visitor: Visitor, owner: Owner) {
    this.#world = world;
    this.#network = network;
    this.#visitor = visitor;
    this.#owner = owner;
  }

  async live(): Promise<void> {
    const { schedule } = this.#world;
    let told = await this.#open();
    for (let steps = 0; steps < STEP_LIMIT; steps += 1) {
      if (told.kind === "loggedIn") await this.#readDestinations();
      if (["loggedIn", "over", "gone"].includes(told.kind)) return this.#end(true);
      if (told.kind === "form" && this.#submits >= SUBMIT_LIMIT) return this.#end(true);
      if (schedule.now > DEADLINE + this.#world.begunAt) break;
      const next = await this.#goOn(told);
      if (!next) return this.#end(true);
      told = next;
    }
    this.#world.note({ type: "pageEnded", page: this.#owner.name, isAnswered: false, isLate: true });
  }

  #end(isAnswered: boolean): void {
    this.#world.note({ type: "pageEnded", page: this.#owner.name, isAnswered, isLate: false });
  }

  /** @returns what is shown next; `undefined` if the person has left. */
  async #goOn(told: Told): Promise<Told | undefined> {
    const { schedule, weather, draws } = this.#world;
    switch (told.kind) {
      case "form":
      case "refused":
      case "unknown":
        if (this.#submits >= SUBMIT_LIMIT) return undefined;
        await this.#think();
        return this.#submit(undefined, false);
      case "question":
        return this.#answer(told);
      case "clients":
        await this.#think();
        if (weather.reloads && draws.draw(2, 0.3) === 1) return this.#open();
        if (this.#submits >= SUBMIT_LIMIT) return undefined;
        return this.#choose(told.name);
      case "underWay":
        return this.#readResult(told.number);
      case "neverSent":
        return this.#open();
      case "later":
        await schedule.wait(1_000);
        return this.#asked > 0 ? this.#readResult() : this.#open();
      case "lost":
        return this.#recover();
      default:
        await schedule.wait(3_000);
        return this.#open();
    }
  }

  async #answer(question: Question): Promise<Told | undefined> {
    const { draws, weather } = this.#world;
    const isRepeat = this.#question?.isConfirmation === question.isConfirmation;
    const isAutomatic = question.isAnsweredAutomatically && !(isRepeat && this.#hasAnsweredAutomatically);
    if (question.isConfirmation && isAutomatic && draws.draw(4, 0.3) === 0) {
      const isApproved = await this.#call((instance) => instance.isApproved(this.#access(), question.name), false);
      if (isApproved) {
        this.#hasAnsweredAutomatically = true;
        return this.#submit(question, true);
      }
    } else await this.#think();
    if (weather.reloads && draws.draw(2, 0.4) === 1) return this.#open();
    if (this.#world.weather.operator && draws.draw(2, 0.05) === 1) return this.#leave();
    if (this.#submits >= SUBMIT_LIMIT) return undefined;
    return this.#submit(question, false);
  }

  async #think(): Promise<void> {
    await this.#world.schedule.wait(THINKING[this.#world.draws.draw(THINKING.length, 0.4)] ?? 1_500);
  }

  async #leave(): Promise<undefined> {
    const { session } = this.#visitor;
    const since = this.#world.schedule.now;
    const said = await this.#call<Cancelled | undefined>((instance) => instance.leave(this.#access()), undefined);
    if (said?.isEnded) this.#world.note({ type: "confirmed", verb: "leave", session, since, saysSent: said.saysSent });
    return undefined;
  }

  /** The response to a submit is lost: the page asks where the login is, its browser sends the same again, or the page asks for the result. */
  async #recover(): Promise<Told> {
    const { schedule, draws, weather } = this.#world;
    await schedule.wait(3_000);
    const last = this.#last;
    const choice = last && weather.network ? draws.draw(4, 0.5) : 0;
    if (!last || choice === 0) return this.#open();
    if (choice === 1) return this.#readResult();
    if (choice === 2) return this.#send(last);
    return this.#sendOther(last);
  }

  /** A broken client: the same id, with another form. */
  #sendOther(last: PageSubmit): Promise<Told> {
    const mark = this.#world.createMark();
    const other = last.client === undefined ? {} : { client: toClientId(mark) };
    return this.#send(
      { ...last, ...other, form: { ...last.form, provider: "other", [MARK_FIELD]: SECRET + mark } },
      mark,
    );
  }

  async #open(): Promise<Told> {
    this.#question = undefined;
    this.#hasAnsweredAutomatically = false;
    this.#asked = 0;
    const told = await this.#call<Told>((instance) => instance.open(this.#access()), { kind: "lost" });
    return this.#told(told);
  }

  async #readResult(number = this.#asked): Promise<Told> {
    this.#asked = number;
    const access = { ...this.#access(), number };
    return this.#told(await this.#call<Told>((instance) => instance.readResult(access), { kind: "lost" }));
  }

  async #readDestinations(): Promise<void> {
    const step = `step-${this.#asked}`;
    const isRead = await this.#call((instance) => instance.readDestinations(this.#access(), step), false);
    if (isRead) this.#told({ kind: "destinations" });
  }

  async #submit(question: Question | undefined, isAutomatic: boolean): Promise<Told> {
    const mark = this.#world.createMark();
    const { person } = this.#visitor;
    this.#submits += 1;
    this.#question = question;
    const answer = question?.isConfirmation ? { [CONFIRMATION_FIELD]: "true" } : { otp: `${SECRET}${mark}-otp` };
    const submit = {
      id: createUuid((bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>)),
      number: this.#lastSubmit + 1,
      question: question?.name,
      form: {
        provider: "test",
        username: person,
        password: `${SECRET}password`,
        [MARK_FIELD]: SECRET + mark,
        ...(question && answer),
        ...(isAutomatic && { isAutomatic: "true" }),
      },
    };
    return this.#send(submit, mark, isAutomatic);
  }

  async #choose(question: string): Promise<Told> {
    const mark = this.#world.createMark();
    this.#submits += 1;
    const id = createUuid((bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>));
    return this.#send({ id, number: this.#lastSubmit + 1, question, client: toClientId(mark), form: {} }, mark);
  }

  async #send(submit: PageSubmit, mark?: string, isAutomatic = false): Promise<Told> {
    this.#last = submit;
    this.#asked = submit.number;
    // Before it is sent.
    this.#visitor.stored = submit.number;
    const { session } = this.#visitor;
    if (mark !== undefined) {
      const page = this.#owner.name;
      this.#world.note({ type: "submitted", session, submit: submit.id, mark, page, isAutomatic });
    }
    const { weather, draws } = this.#world;
    // A page that is reloaded while it waits.
    const isReloaded = weather.reloads && draws.draw(2, 0.3) === 1;
    const call = (instance: Instance) => instance.submit(this.#access(), submit);
    const told = this.#told(await this.#call<Told>(call, { kind: "lost" }, isReloaded ? RELOAD : undefined));
    const share = told.kind === "refused" ? 0.4 : 0.06;
    return mark !== undefined && weather.network && draws.draw(2, share) === 1 ? this.#sendOther(submit) : told;
  }

  #told(told: Told): Told {
    const { session, person } = this.#visitor;
    this.#lastSubmit = told.lastSubmit ?? this.#lastSubmit;
    this.#world.note({ type: "told", session, page: this.#owner.name, person, told });
    return told;
  }

  #call<Result>(request: (instance: Instance) => Promise<Result>, lost: Result, patience?: number): Promise<Result> {
    return this.#network.call(this.#owner, request, { lost, ...(patience !== undefined && { patience }) });
  }

  #access = () => ({ ...this.#visitor, number: this.#lastSubmit + 1 });
}

/** What a stranger tries. */
const deeds = ["open", "ask", "answer", "begin", "read", "choose", "cancel"] as const;

/** Somebody else who knows the address of a session, and what a log has; at the relay each id, or the token as another user. */
export class Intruder {
  readonly #world: World;
  readonly #network: SimulatedNetwork;
  readonly #visitor: Visitor;
  readonly #owner: Owner;

  constructor(world: World, network: SimulatedNetwork, visitor: Visitor, owner: Owner) {
    this.#world = world;
    this.#network = network;
    this.#visitor = visitor;
    this.#owner = owner;
  }

  async live(): Promise<void> {
    const { schedule, draws, history } = this.#world;
    for (let tries = 0; tries < 6; tries += 1) {
      await schedule.wait([4_000, 300, 15_000][draws.draw(3)] ?? 4_000);
      // The first one who sends something has the session.
      if (!history.some(({ type }) => type === "claimed")) continue;
      await this.#try(deeds[(tries + draws.draw(deeds.length)) % deeds.length] ?? "ask", draws.draw(2));
    }
  }

  /** Each of it, when no one else does anything. */
  async tryAll(): Promise<void> {
    for (const deed of deeds) for (const later of [0, 1]) await this.#try(deed, later);
  }

  /** @param later 0: what the owner has sent last. 1: what would come next. */
  async #try(deed: (typeof deeds)[number], later: number): Promise<void> {
    const claimed = this.#world.history.findLast(({ type }) => type === "claimed");
    const last = claimed?.type === "claimed" ? claimed.number : 0;
    const number = last + later;
    const access = { ...this.#visitor, number, stored: last };
    const told = await this.#network.call<Told>(this.#owner, (instance) => this.#do(instance, deed, access), {
      lost: { kind: "lost" },
    });
    const { person, session } = this.#visitor;
    this.#world.note({ type: "told", session, page: this.#owner.name, person, told });
  }

  async #do(instance: Instance, deed: (typeof deeds)[number], access: PageAccess): Promise<Told> {
    const { number, stored } = access;
    const step = `step-${stored}`;
    const form = { provider: "test", username: STRANGER, password: "x", otp: "x", [MARK_FIELD]: "x-stranger" };
    const submit = { id: `${STRANGER}-${number}`, number, form, question: undefined };
    switch (deed) {
      case "open":
        return instance.open(access);
      case "ask":
        return instance.readResult(access);
      case "answer":
        return instance.submit(access, { ...submit, question: step });
      case "begin":
        return instance.submit(access, submit);
      case "choose":
        return instance.submit(access, { ...submit, question: step, client: toClientId("x-stranger") });
      case "read": {
        const isApproved = await instance.isApproved(access, step);
        const isRead = await instance.readDestinations(access, step);
        return { kind: isApproved || isRead ? "destinations" : "failed" };
      }
      case "cancel":
        // Who has the token may end the login.
        if (this.#visitor.hasToken !== true) await instance.leave(access);
        return { kind: "failed" };
    }
  }
}
