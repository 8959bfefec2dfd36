import type { LoginState } from "ventanilla";

/** A state by its name; of `submitting` the request. */
export const formatState = (state: LoginState): string => (state.state === "submitting" ? state.request : state.state);
