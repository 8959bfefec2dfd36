import { createBankClient } from "ventanilla";
import { createRelay, type Relay } from "ventanilla/relay";
import { createSqliteStore } from "../sqlite-store.ts";

/** The variables and secrets of the worker, and its durable objects. */
interface Env {
  readonly BANK_URL: string;
  readonly API_KEY: string;
  readonly SEAL_KEY: string;
  readonly PAGE: string;
  readonly LOGINS: { getByName(name: string): { fetch(request: Request): Promise<Response> } };
}

/** What a durable object needs of its state. */
interface State {
  readonly storage: {
    readonly sql: { exec(statement: string, ...values: unknown[]): { toArray(): Record<string, unknown>[] } };
    getAlarm(): Promise<number | null>;
    setAlarm(time: number): Promise<void>;
  };
  blockConcurrencyWhile(work: () => Promise<unknown>): unknown;
  waitUntil(work: Promise<unknown>): void;
}

const HOUR = 3_600_000;

/** The relay and its store in one durable object. It goes on with a login whose page has left; otherwise the worker is ended half a minute later. */
export class Logins {
  readonly #state: State;
  readonly #relay: Relay;

  constructor(state: State, env: Env) {
    const { sql } = state.storage;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS ventanilla_records (id TEXT PRIMARY KEY, text TEXT NOT NULL, expires_at REAL NOT NULL)",
    );
    this.#state = state;
    this.#relay = createRelay({
      client: createBankClient({ baseUrl: env.BANK_URL, apiKey: env.API_KEY }),
      store: createSqliteStore((statement, ...values) => sql.exec(statement, ...values).toArray()),
      sealKey: env.SEAL_KEY,
      allowedOrigins: [env.PAGE],
      path: "/bank",
      readUser: false, // in production: whose request it is, so that a reload loses no login
      readCaller: ({ headers }) => headers.get("cf-connecting-ip") ?? undefined,
      onLogin: ({ provider, key }) => console.log(`logged in at ${provider} with ${key}`), // in production: store it
      onError: (error, { id }) => console.error(id, error.message),
    });
    state.blockConcurrencyWhile(async () => {
      if ((await state.storage.getAlarm()) === null) await this.alarm();
    });
  }

  fetch(request: Request): Promise<Response> {
    const response = this.#relay(request);
    // Also if the page leaves. `compatibility_date` must be 2026-10-01 or later.
    this.#state.waitUntil(response.then(() => this.#relay.finish()));
    return response;
  }

  /** Removes what has expired. */
  async alarm(): Promise<void> {
    const { sql } = this.#state.storage;
    sql.exec("DELETE FROM ventanilla_records WHERE expires_at <= unixepoch('subsec') * 1000");
    await this.#state.storage.setAlarm(Date.now() + HOUR);
  }
}

export default {
  fetch: (request: Request, env: Env): Promise<Response> => env.LOGINS.getByName("logins").fetch(request),
};
