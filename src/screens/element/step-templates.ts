import { html, nothing, type TemplateResult } from "lit";
import { requestTexts } from "../../core/login/login-state.ts";
import { type BankLoginTexts, fillIn } from "../../core/texts/languages.ts";
import type { FieldErrors } from "../../core/view/form-schema.ts";
import type { ChosenProvider, LinkView } from "../../core/view/link-view.ts";
import { findBackVerb, findPrimaryVerb, hasForm, type Verb, type Verbs } from "./step-verbs.ts";

const titles = {
  loadingProviders: "chooseBank",
  choosingProvider: "chooseBank",
  loadingFields: "logInAt",
  idle: "logInAt",
  submitting: "logInAt",
  awaitingInteraction: "oneMoreStep",
  selectClient: "chooseClient",
  // The same title as before the failure: a longer one would move the form.
  failed: "logInAt",
  linkFailed: "linkFailed",
  loadingDestinations: "loggedIn",
  linked: "loggedIn",
  cancelled: "cancelled",
} as const satisfies Record<LinkView["state"], keyof BankLoginTexts>;

/** The title of a state. */
export function formatTitle(view: LinkView, texts: BankLoginTexts): string {
  if (view.state === "loadingFields" && !view.bank) return texts.logIn;
  return view.state === "failed" && !hasForm(view) ? texts.notLoggedIn : texts[titles[view.state]];
}

/** What a busy state waits for. */
export function formatWait(view: LinkView, texts: BankLoginTexts): string | undefined {
  if (view.state === "loadingFields" && view.isResuming) return texts.submitting;
  if (view.state === "submitting") return texts[requestTexts[view.request]];
  return view.busy ? texts[view.state] : undefined;
}

/** What happens after the login. */
export function formatSuccess(
  { bank, destinations }: Extract<LinkView, { state: "linked" }>,
  texts: BankLoginTexts,
): string {
  const text = destinations.length > 0 ? texts.linkedAt : texts.loggedInAt;
  return fillIn(text, { bank: bank.name, count: destinations.length });
}

/** A wait, with its text. */
export function waitTemplate(text: string): TemplateResult {
  return html`<div class="wait" part="wait"><span class="spinner" aria-hidden="true"></span><span>${text}</span></div>`;
}

/** Gets why the verb of a button sent nothing. */
type Refuse = (errors: FieldErrors | undefined) => void;

const signs = {
  done: "m5 12.5 4.5 4.5L19 7",
  closed: "m6 6 12 12M18 6 6 18",
  failure: "M12 4v10m0 5v.1",
};

/** A state that only says something: its sign and its paragraphs, in the middle of the card. */
export function messageTemplate(kind: keyof typeof signs, paragraphs: readonly TemplateResult[]): TemplateResult {
  return html`<div class="message ${kind}" part=${kind} role=${kind === "failure" ? "alert" : nothing}>
    ${drawIcon("sign", signs[kind])}
    ${paragraphs}
  </div>`;
}

export const paragraphTemplate = (text: string): TemplateResult => html`<p>${text}</p>`;

/**
 * A text that the bank wrote. Its language is unknown: an empty `lang` lets a screen reader use the person's own voice, where the card's would be
 * wrong.
 */
export const bankTextTemplate = (text: string): TemplateResult => html`<p lang="">${text}</p>`;

/** A drawing of lines, on 24 by 24 units. @param kind its class: `sign` is a large one in a circle. */
export function drawIcon(kind: "sign" | "", ...paths: readonly string[]): TemplateResult {
  return html`<svg class=${kind} viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2">
    <path d=${paths.join("")} pathLength="1" stroke-linecap="round" stroke-linejoin="round" />
  </svg>`;
}

/** The header of every state: the button to go back, who asks, the bank, the title and the button to close. */
export function headerTemplate(
  view: LinkView,
  texts: BankLoginTexts,
  bank: (Pick<ChosenProvider, "name" | "accountTypes"> & { readonly logo: TemplateResult }) | undefined,
  hostName: string | undefined,
  hostLogo: TemplateResult | undefined,
): TemplateResult {
  const back = findBackVerb(view);
  const title = formatTitle(view, texts);
  const isBankInTitle = title.includes("{bank}");
  const accountTypes = isBankInTitle ? bank?.accountTypes.map(({ label }) => label).join(", ") : "";
  return html`<header part="header">
    ${back ? iconTemplate(view, back, texts, "m14.5 5-7 7 7 7") : bank ? html`<span class="icon"></span>` : nothing}
    ${bank ? html`<span class="faces">${hostLogo}${bank.logo}</span>` : nothing}
    <div class="titles">
      <div>
        ${bank && !isBankInTitle ? html`<p class="quiet" part="provider">${bank.name}</p>` : nothing}
        <h2 id="title" part="title" tabindex="-1">${titleTemplate(title, bank?.name ?? "", isBankInTitle ? hostName : undefined)}</h2>
        ${accountTypes ? html`<p class="quiet" part="account-types">${accountTypes}</p>` : nothing}
      </div>
    </div>
    ${view.cancelLink ? iconTemplate(view, "cancelLink", texts, "m6 6 12 12M18 6 6 18") : nothing}
  </header>`;
}

/** A title. The bank's name has lines of its own: people tell banks apart by its last word, such as "Empresas". */
function titleTemplate(title: string, name: string, hostName?: string) {
  const [before = "", after] = title.split("{bank}");
  if (after === undefined) return title;
  const lead = (text: string) => (text.trim() ? html`<span class="lead">${text.trim()}</span> ` : nothing);
  return html`${lead(hostName ? `${hostName}\u00a0· ${before}` : before)}<span class="name">${name}</span> ${lead(after)}`;
}

function iconTemplate(view: LinkView, verb: Verb, texts: BankLoginTexts, path: string): TemplateResult {
  return html`<button
    type="button"
    class="icon"
    part="button ${verb}"
    data-verb=${verb}
    title=${texts[verb]}
    @click=${(view as Verbs)[verb]}
  >
    ${drawIcon("", path)}
  </button>`;
}

/** The button of a state without a form; beside the one that closes other sessions, one that leaves them open. */
export function primaryTemplate(
  view: LinkView,
  texts: BankLoginTexts,
  restart: () => void,
  refuse: Refuse,
): TemplateResult | typeof nothing {
  const verb = view.state === "cancelled" ? "again" : findPrimaryVerb(view);
  if (!verb) return nothing;
  const replaceSession = () => refuse(view.replaceSession?.());
  const run = verb === "again" ? restart : verb === "replaceSession" ? replaceSession : (view as Verbs)[verb];
  return html`<button type="button" class="primary" part="button ${verb}" data-verb=${verb} @click=${run}>
      ${texts[verb]}
    </button>
    ${
      verb === "replaceSession"
        ? html`<button type="button" part="button" @click=${view.cancel}>${texts.cancel}</button>`
        : nothing
    }`;
}
