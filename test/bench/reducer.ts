import type { BankClient, Failure, LoginResponse, Secret } from "../../src/index.ts";

// The login as somebody would write it who wants the statechart's guarantees and no statechart: one reducer, and one function
// that runs its effects. Kept fair: the same client and secrets, no wrappers, no checks that the other one has not.

interface Fields {
  readonly provider: string;
  readonly username: Secret;
  readonly password: Secret;
  readonly [field: string]: string | Secret;
}

type Step = "idle" | "submitting" | "awaitingInteraction" | "selectClient" | "replacingSession" | "loggedIn" | "failed";

export interface State {
  readonly step: Step;
  readonly fields?: Fields | undefined;
  readonly key?: Secret | undefined;
  readonly field?: string | undefined;
  readonly answer?: Secret | undefined;
  readonly interactions: number;
  readonly replaced: boolean;
  readonly failure?: Failure | undefined;
}

export type Event =
  | { readonly type: "submit"; readonly fields: Fields }
  | { readonly type: "answer"; readonly answer: Secret }
  | { readonly type: "replied"; readonly reply: LoginResponse }
  | { readonly type: "broke"; readonly failure: Failure }
  | { readonly type: "replace" | "replaced" | "expired" | "cancel" };

export const initial: State = { step: "idle", interactions: 0, replaced: false };
const interactionLimit = 10;

const failed = (state: State, failure: Failure): State => {
  const isFull = failure.code === "max_sessions_reached";
  const fields = isFull && !state.replaced ? state.fields : undefined;
  return { ...state, step: "failed", failure, answer: undefined, fields, key: isFull ? state.key : undefined };
};

/** The next state; an event that has no place in this one changes nothing. */
export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case "submit":
      if (state.step !== "idle" && state.step !== "failed") return state;
      return { ...initial, step: "submitting", fields: event.fields };
    case "answer":
      return state.step === "awaitingInteraction" ? { ...state, step: "submitting", answer: event.answer } : state;
    case "replied":
      return state.step === "submitting" ? replied(state, event.reply) : state;
    case "broke":
      return state.step === "submitting" || state.step === "replacingSession" ? failed(state, event.failure) : state;
    case "expired":
      return state.step === "awaitingInteraction" ? failed(state, { kind: "outcome", code: "expired" }) : state;
    case "replace":
      if (state.step !== "failed" || !state.fields || !state.key || state.replaced) return state;
      return { ...state, step: "replacingSession", replaced: true };
    case "replaced":
      return state.step === "replacingSession" ? { ...initial, ...state, step: "submitting", key: undefined } : state;
    case "cancel":
      return state.step === "loggedIn" ? state : initial;
  }
}

function replied(state: State, reply: LoginResponse): State {
  const key = reply.key ?? state.key;
  switch (reply.status) {
    case "logged_in":
      if (!key) return failed(state, { kind: "fault", code: "response_against_contract", field: "key" });
      return { ...state, step: "loggedIn", key, fields: undefined, answer: undefined };
    case "interaction_required":
      if (state.interactions >= interactionLimit)
        return failed(state, { kind: "outcome", code: "too_many_interactions" });
      if (!key) return failed(state, { kind: "fault", code: "response_against_contract", field: "key" });
      return {
        ...state,
        step: "awaitingInteraction",
        key,
        field: reply.field,
        interactions: state.interactions + 1,
        answer: undefined,
      };
    case "select_client":
      return { ...state, step: "selectClient", key, fields: undefined, answer: undefined };
    default:
      return failed(
        { ...state, key: reply.key },
        { kind: "outcome", code: reply.status, httpStatus: reply.httpStatus },
      );
  }
}

/** Runs the effects of the states: the request of a login, its abort, the deadline of an answer. */
export function createStore(client: Pick<BankClient, "login" | "logout">, answerTimeout: number) {
  let state = initial;
  let running = new AbortController();
  let deadline: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<(state: State) => void>();

  const dispatch = (event: Event): void => {
    const next = reduce(state, event);
    if (next === state) return;
    // What belonged to the state that was left is over.
    running.abort();
    clearTimeout(deadline);
    state = next;
    running = new AbortController();
    const { signal } = running;
    const whileHere = (then: Event) => signal.aborted || dispatch(then);
    const broke = (error: Failure) => whileHere({ type: "broke", failure: { kind: "fault", code: error.code } });
    if (state.step === "submitting" && state.fields) {
      const { fields, field, answer, key } = state;
      const form = field && answer ? { ...fields, [field]: answer } : fields;
      const call = { signal, ...(field && answer && key && { key }) };
      client.login(form, call).then((reply) => whileHere({ type: "replied", reply }), broke);
    } else if (state.step === "awaitingInteraction") {
      deadline = setTimeout(() => dispatch({ type: "expired" }), answerTimeout);
    } else if (state.step === "replacingSession" && state.key) {
      client.logout(state.key, { signal }).then(() => whileHere({ type: "replaced" }), broke);
    }
    for (const listener of listeners) listener(state);
  };
  return { dispatch, subscribe: (listener: (state: State) => void) => listeners.add(listener) };
}
