import type { BankClient, LoginFields } from "../../../src/core/api/client.ts";
import { BankError } from "../../../src/core/api/errors.ts";
import type { LoginResponse } from "../../../src/core/api/responses.ts";
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
const FIRST = ["otp", "logged_in", "confirmation", "wrong"] as const;
const SECOND = ["logged_in", "otp", "confirmation", "wrong"] as const;
const APPROVALS = ["confirmation", "logged_in", "otp", "wrong"] as const;

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
      listClients: unused,
      selectClient: unused,
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
      const said = (weather.approvals ? APPROVALS : usual)[draws.draw(4, 0.4)] ?? "wrong";
      const isLost = weather.bankLost && draws.draw(2, 0.3) === 1;
      const settle = isLost
        ? () => {
            this.#world.disturb("bank lost", owner);
            reject(new BankError("request_timed_out", { request: "POST /login/" }));
          }
        : () => resolve(this.#respond(said, person, question && { ...question, automatic }));
      schedule.after(duration, settle, { owner });
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
    if (said === "logged_in") {
      this.persons.set(key, person);
      return { status: said, key: secret(key) };
    }
    const field = said === "otp" ? "otp" : CONFIRMATION_FIELD;
    this.#questions.set(key, { field, automatic: answered?.field === field ? answered.automatic : 0 });
    return { status: "interaction_required", key: secret(key), field, context: `${SECRET}text ${person}` };
  }
}
