import type { BankClient, LoginFields } from "../../../src/core/api/client.ts";
import { BankError } from "../../../src/core/api/errors.ts";
import type { LoginResponse, SelectClientResponse } from "../../../src/core/api/responses.ts";
import { reveal, secret } from "../../../src/core/api/reveal.ts";
import type { Secret } from "../../../src/core/api/secret.ts";
import { SECRET } from "./history.ts";
import type { Owner } from "./schedule.ts";
import type { World } from "./world.ts";

/** The name of the form field with the mark of a submit. */
export const MARK_FIELD = "mark";
/** The field of a confirmation in the bank's app. */
export const CONFIRMATION_FIELD = "app_confirmation";

/** Milliseconds that the bank takes for a login. */
const DURATIONS = [50, 400, 2_500, 6_000, 9_000, 20_000];

/** What the bank says, the usual first. */
const FIRST = ["otp", "logged_in", "confirmation", "wrong", "clients"] as const;
const SECOND = ["logged_in", "otp", "confirmation", "wrong", "clients"] as const;
const APPROVALS = ["confirmation", "logged_in", "otp", "wrong"] as const;
/** What the bank says to the choice of a client. */
const CHOSEN = ["chosen", "unknown client"] as const;

/** The id of the client that a submit chooses. */
export const toClientId = (mark: string): string => `client-${mark}`;

const text = (value: string | Secret | undefined): string =>
  typeof value === "string" || value === undefined ? (value ?? "") : reveal(value);

/** The bank: it counts what it gets. */
export class SimulatedBank {
  readonly #world: World;
  #keys = 0;
  /** What each key was given with: the field that is asked for, and how many answers to it came automatically. */
  readonly #questions = new Map<string, { readonly field: string; readonly automatic: number }>();
  /** The keys of sessions that have begun, and whose they are. */
  readonly persons = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  connect(owner: Owner): BankClient {
    const { schedule } = this.#world;
    const unused = () => Promise.reject(new BankError("unexpected_fault"));
    return {
      baseUrl: "https://bank.test",
      listProviders: unused,
      getProvider: (code) =>
        this.#answer(owner, 5, () => ({
          status: "success",
          skipped: 0,
          provider: {
            name: code,
            country: "MX",
            auth_fields: [],
            account_type: [],
          },
        })),
      login: (fields, { key } = {}) => this.#login(owner, fields, text(key) || undefined),
      awaitApproval: async (_, { signal }) => {
        await schedule.wait(1_000 + 1_000 * this.#world.draws.draw(4), signal);
        return { status: "approved" };
      },
      listTransferDestinations: unused,
      // One for each submit, so that the bank can tell which one has chosen.
      listClients: () =>
        this.#answer(owner, 5, () => {
          const marks = this.#world.history.flatMap((one) => (one.type === "submitted" ? [one.mark] : []));
          const clients = marks.map((mark) => ({ id: toClientId(mark), name: mark }));
          return { status: "success", skipped: 0, clients };
        }),
      selectClient: (key, client) => this.#choose(owner, text(key), client),
      logout: () => this.#answer(owner, 5, () => ({ status: "logged_out" })),
    };
  }

  #answer<Result>(owner: Owner, delay: number, effect: () => Result): Promise<Result> {
    return new Promise((resolve) => {
      if (!owner.isDead) this.#world.schedule.after(delay, () => resolve(effect()), { owner });
    });
  }

  #login(owner: Owner, fields: LoginFields, key: string | undefined): Promise<LoginResponse> {
    const { schedule, draws, weather } = this.#world;
    const { username, [MARK_FIELD]: mark, isAutomatic } = fields;
    const person = text(username);
    const question = this.#questions.get(key ?? "");
    const automatic = (question?.automatic ?? 0) + (text(isAutomatic) === "true" ? 1 : 0);
    return new Promise((resolve, reject) => {
      if (owner.isDead) return;
      this.#world.note({
        type: "sent",
        instance: owner.name,
        mark: text(mark).slice(SECRET.length),
        person,
        isAutomatic: text(isAutomatic) === "true",
        automaticBefore: question?.automatic ?? 0,
      });
      const duration = DURATIONS[weather.slowBank ? draws.draw(DURATIONS.length, 0.6) : 0] ?? 0;
      const usual = key === undefined ? FIRST : SECOND;
      const said = (weather.approvals ? APPROVALS : usual)[draws.draw(weather.clients ? 5 : 4, 0.4)] ?? "wrong";
      const settle = () => resolve(this.#respond(said, person, question && { ...question, automatic }));
      schedule.after(duration, this.#mayLose(owner, settle, reject), { owner });
    });
  }

  /** What the bank says, or that its response is lost. */
  #mayLose(owner: Owner, settle: () => void, reject: (error: BankError) => void): () => void {
    const { draws, weather } = this.#world;
    if (!weather.bankLost || draws.draw(2, 0.3) === 0) return settle;
    return () => {
      this.#world.disturb("bank lost", owner);
      reject(new BankError("request_timed_out", { request: "POST /login/" }));
    };
  }

  #choose(owner: Owner, key: string, client: string): Promise<SelectClientResponse> {
    const { schedule, draws } = this.#world;
    const person = key.split("-").at(-1) ?? "";
    return new Promise((resolve, reject) => {
      if (owner.isDead) return;
      const mark = client.slice(toClientId("").length);
      this.#world.note({ type: "sent", instance: owner.name, mark, person, isAutomatic: false, automaticBefore: 0 });
      const said = CHOSEN[draws.draw(CHOSEN.length, 0.3)];
      const settle = () => {
        if (said === "unknown client")
          return resolve({ status: "wrong_client", httpStatus: 200, wire: { status: "wrong_client" } });
        this.persons.set(key, person);
        resolve({ status: "success" });
      };
      schedule.after(50, this.#mayLose(owner, settle, reject), { owner });
    });
  }

  #respond(
    said: (typeof FIRST)[number],
    person: string,
    answered: { readonly field: string; readonly automatic: number } | undefined,
  ): LoginResponse {
    if (said === "wrong") {
      return { status: "wrong_credentials", httpStatus: 200, wire: { status: "wrong_credentials" } };
    }
    this.#keys += 1;
    const key = `${SECRET}key-${this.#keys}-${person}`;
    if (said === "clients") return { status: "select_client", key: secret(key) };
    if (said === "logged_in") {
      this.persons.set(key, person);
      return { status: said, key: secret(key) };
    }
    const field = said === "otp" ? "otp" : CONFIRMATION_FIELD;
    this.#questions.set(key, { field, automatic: answered?.field === field ? answered.automatic : 0 });
    return { status: "interaction_required", key: secret(key), field, context: `${SECRET}text ${person}` };
  }
}
