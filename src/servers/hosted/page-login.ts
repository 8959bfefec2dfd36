import type { StoredLogin } from "../../core/view/kept-login.ts";
import type { Environment } from "../environment.ts";
import { findStep, isUnderWay } from "../kept/kept-row.ts";
import type { Session } from "./session-row.ts";

/** The login of a session that its page goes on with, by the number of the submit to ask for. */
export type PageLogin = Pick<StoredLogin, "id" | "provider" | "number">;

/** What a page that is opened goes on with: what the bank waits for, or the submit that it waits for itself. `undefined` for the form. */
export function toPageLogin({ id, row }: Session, { now }: Pick<Environment, "now">): PageLogin | undefined {
  const { last, login = id } = row;
  const isOpen = isUnderWay(row, now()) || last?.result?.kind === "unknown" || findStep(row, now()) !== undefined;
  return last && isOpen ? { id: login, provider: last.provider, number: last.number } : undefined;
}
