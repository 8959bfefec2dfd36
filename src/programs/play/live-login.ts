import { type BankLogin, defineBankLogin } from "../../screens/element/index.ts";
import { inspectLogin } from "../../tools/inspect/browser.ts";
import { createPlaygroundBank } from "./playground-bank.ts";

/** Connects the component of a page to a bank in that page, and a frame to the statechart that drives it. */
export function startLiveLogin(element: BankLogin, frame: HTMLIFrameElement, viewer: string): void {
  defineBankLogin();
  customElements.upgrade(element);
  element.client = createPlaygroundBank();
  element.inspect = inspectLogin({ iframe: frame, url: viewer });
}
