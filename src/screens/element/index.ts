/**
 * `<bank-login>`, the whole flow as a web component. Peer: `lit`.
 *
 * @packageDocumentation
 */

import { BankLogin } from "./bank-login.ts";

export type { BankLoginTexts } from "../../core/texts/languages.ts";
export type { BankLoginEvents } from "./step-events.ts";
export { BankLogin };

/**
 * Makes the tag known to the page; call it once, before or after the tag is used. Twice does no harm.
 *
 * @example
 * defineBankLogin();
 * document.body.innerHTML = '<bank-login relay="/bank/"></bank-login>';
 */
export function defineBankLogin(): void {
  if (!customElements.get("bank-login")) customElements.define("bank-login", BankLogin);
}

declare global {
  interface HTMLElementTagNameMap {
    "bank-login": BankLogin;
  }
}
