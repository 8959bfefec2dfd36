import type { LinkEvent } from "../../machines/link.ts";
import type { LoginEvent } from "../../machines/login.ts";
import { type LinkSnapshot, type LinkView, linkView } from "../link/view.ts";
import type { FormValues } from "../login/form.ts";
import { type LoginSnapshot, type LoginView, loginView } from "../login/view.ts";
import type { BankProgress } from "./scripted-bank.ts";

/** How a flow stands between two actions of a person: the statecharts, the bank, and the form. */
export interface Standing {
  readonly link: LinkSnapshot | undefined;
  readonly login: LoginSnapshot | undefined;
  readonly bank: BankProgress;
  readonly filled: FormValues | undefined;
}

/** What the screen shows. */
export function viewOf({ link, login }: Standing, send: (event: LoginEvent | LinkEvent) => void): LoginView | LinkView {
  if (link) return linkView(link, send);
  if (!login) throw new Error("Neither a link nor a login stands here.");
  return loginView(login, send, { provider: login.context.provider || "any" });
}

/** The name of what the screen shows. */
export function stepOf(standing: Standing): LinkView["step"] | LoginView["step"] {
  return viewOf(standing, () => {}).step;
}
