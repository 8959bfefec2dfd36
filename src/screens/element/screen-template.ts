import { html, nothing, type TemplateResult } from "lit";
import { cache } from "lit/directives/cache.js";
import { keyed } from "lit/directives/keyed.js";
import {
  type BankLoginTexts,
  failureTexts,
  fillIn,
  formTexts,
  type LanguageOptions,
  readLanguage,
} from "../../core/texts/languages.ts";
import { missingErrors } from "../../core/view/form-schema.ts";
import type { LinkView } from "../../core/view/link-view.ts";
import type { LoginForm } from "../../core/view/login-view.ts";
import { formatRepeat, type QuestionView } from "../../core/view/question-view.ts";
import { bankFaceTemplate, hostFaceTemplate, toPageAddress } from "./bank-face.ts";
import { stopTypedCharacters } from "./card.ts";
import { clientsTemplate } from "./client-list.ts";
import { type Countdown, formatDuration } from "./countdown.ts";
import { pictureTemplate } from "./field-templates.ts";
import type { FormController } from "./form-controller.ts";
import type { ListSearch } from "./list-search.ts";
import { type ProviderFilter, providersTemplate } from "./provider-list.ts";
import {
  bankTextTemplate,
  drawIcon,
  formatSuccess,
  formatWait,
  headerTemplate,
  messageTemplate,
  paragraphTemplate,
  primaryTemplate,
  waitTemplate,
} from "./step-templates.ts";
import { findForm, isLogin } from "./step-verbs.ts";

/** The page that asks for the login, as it describes itself. */
export interface Host {
  readonly name: string | undefined;
  /** The address of its logo. */
  readonly logo: string | undefined;
  /** Where the person goes on after the login. */
  readonly continueUrl: string | undefined;
  /** Where a person gets a new password, by the bank's code. */
  readonly passwordHelp: Readonly<Record<string, string>> | undefined;
}

/** What the component draws. */
export interface Screen extends ProviderFilter {
  readonly view: LinkView;
  readonly texts: BankLoginTexts;
  readonly language: LanguageOptions;
  readonly form: FormController;
  readonly countdown: Countdown;
  readonly host: Host;
  readonly clients: ListSearch;
  restart(): void;
  /** The mouse is pressed. */
  pressed(event: MouseEvent): void;
}

/** One state of the flow, in its card. */
export function screenTemplate(screen: Screen): TemplateResult {
  const {
    view,
    texts,
    language,
    form: { generation },
    countdown: { isAnnounced, seconds },
    logos,
    restart,
  } = screen;
  const wait = formatWait(view, texts);
  // Its text was announced when it began. Again would be once too often.
  const isLong = view.busy && seconds !== undefined;
  const bank = "bank" in view ? view.bank : undefined;
  // The cache keeps the form and what was typed while the form can come back. Another key drops both: another bank, another generation,
  // or the end of the login.
  const typing = isLogin(view) ? `${generation} ${view.bank.code}` : "";
  const form = findForm(view);
  const success = view.state === "linked" ? formatSuccess(view, texts) : undefined;
  // A tool that translates pages would take the place of texts, and the next question would not show.
  return html`<section
    part="card"
    aria-labelledby="title"
    lang=${readLanguage(language)}
    dir="ltr"
    translate="no"
    data-state=${view.state}
    @mousedown=${screen.pressed}
    @keydown=${stopTypedCharacters}
    @keypress=${stopTypedCharacters}
  >
    ${headerTemplate(view, texts, bank && { ...bank, logo: bankFaceTemplate(bank, logos) }, screen.host.name, hostFaceTemplate(screen.host))}
    <p class="announcement" role="status">${isAnnounced ? formatTime(screen) : isLong ? nothing : (wait ?? success)}</p>
    ${keyed(
      typing,
      html`${cache(form ? html`<div class="step" aria-busy=${view.busy}>${credentialsTemplate(screen, form)}</div>` : nothing)}`,
    )}
    ${form ? nothing : html`<div class="step" aria-busy=${view.busy}>${stepTemplate(screen, wait)}</div>`}
    ${primaryTemplate(view, texts, restart, (errors) => screen.form.showOffline(errors))}
    ${view.state === "linked" ? linkTemplate(screen.host.continueUrl, texts.confirm, "primary") : nothing}
  </section>`;
}

/** That the bank is in trouble, in words for the service's: a wire value such as `under_maintenance`. Another bank is beside it. */
function troubleTemplate(state: string, { view, texts }: Screen) {
  const text = /maintenance/i.test(state)
    ? "bankMaintenance"
    : /down|unavailable|offline|disabled|error/i.test(state)
      ? "bankDown"
      : "bankTrouble";
  return html`<div class="warning" part="warning" role="note">
    ${drawIcon("", "M12 4 2.5 20h19zM12 10v5m0 2.5v.1")}
    <p>${texts[text]}</p>
    ${
      view.changeProvider
        ? html`<button type="button" part="button" @click=${view.changeProvider}>${texts.changeProvider}</button>`
        : nothing
    }
  </div>`;
}

function stepTemplate(screen: Screen, wait: string | undefined) {
  const { view, texts } = screen;
  if ("sent" in view && view.sent.question) return questionTemplate(screen, view.sent.question, wait);
  switch (view.state) {
    case "choosingProvider":
      return providersTemplate(view, screen);
    case "awaitingInteraction":
      return questionTemplate(screen, view.question, undefined, view);
    case "selectClient":
      return html`${timeTemplate(screen)}${failureTemplate(screen)}
      ${clientsTemplate(view.clients, screen.clients, texts, (id) => screen.form.showOffline(view.choose(id)))}`;
    case "linked":
      return messageTemplate("done", [paragraphTemplate(formatSuccess(view, texts))]);
    case "cancelled":
      return messageTemplate("closed", [paragraphTemplate(texts.closed)]);
    case "linkFailed":
    case "failed":
      return html`${messageTemplate("failure", listFailures(screen))}
      ${view.state === "failed" && view.failure.code === "user_blocked" ? helpTemplate(screen, texts.goToBank) : nothing}`;
    case "idle":
      return nothing;
    case "loadingProviders":
    case "loadingFields":
    case "submitting":
    case "loadingDestinations":
      return html`${waitTemplate(wait ?? "")}${timeTemplate(screen)}`;
    default:
      return view satisfies never;
  }
}

const lock = "M5 11h14v10H5zM8 11V7a4 4 0 1 1 8 0v4";
const phone = "M7 2h10v20H7zM11 18.5h2";
const image = "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5M15.5 9v.1";
const speech = "M3 4h18v13h-9l-5 4v-4H3zM8 9h8M8 12.5h5";

/** A drawing over a question, by its kind. */
const drawings: Readonly<Record<QuestionView["kind"], string>> = {
  picture: image,
  code: phone,
  confirmation: phone,
  choices: speech,
  question: speech,
};

/** Whether the bank's text says all that the label of the only field would: it asks something, or the field is named after that. */
const isLabel = ({ kind, fields, field, text }: QuestionView) =>
  fields.length === 1 &&
  (kind === "question" || kind === "choices") &&
  (/[?？]\s*$/.test(text) || field.name === "personal_question");

function questionTemplate(
  screen: Screen,
  question: QuestionView,
  wait: string | undefined,
  verbs?: Extract<LinkView, { state: "awaitingInteraction" }>,
) {
  const { texts, form } = screen;
  const { kind, text, field, fields, number } = question;
  const picture = kind === "picture" && question.picture;
  // As in `bankTextTemplate`.
  const isOurs = Object.values<string>(formTexts(screen.language)).includes(text);
  const isAwaited = kind === "confirmation" && question.awaitsApproval;
  return html`${notesTemplate(screen, isAwaited ? approvalTemplate(texts) : drawIcon("sign", drawings[kind]))}
    <p class="question" part="question" id="question" lang=${isOurs ? nothing : ""}>${text}</p>
    ${keyed(
      `${form.generation} ${number}`,
      html`${picture ? pictureTemplate(picture, texts.zoom) : nothing}
      ${form.template({
        fields,
        texts,
        label: kind === "confirmation" ? texts.confirmed : texts.confirm,
        verb: "answer",
        wait,
        notes: nothing,
        time: timeTemplate(screen),
        questionId: "question",
        isQuestionLabel: isLabel(question),
        cards: kind === "choices",
        disclosure: kind === "confirmation" ? texts.haveCode : undefined,
        send: (values, isDisclosed) =>
          isDisclosed && !values[field.name]?.trim()
            ? missingErrors(fields, [field.name], screen.language)
            : verbs?.answer(values),
        readPaste: verbs?.readPaste,
      })}`,
    )}
    ${kind === "code" ? noCodeTemplate(texts, verbs?.cancel) : nothing}`;
}

/** What a person can do without a code. The contract has no request for another one. */
const noCodeTemplate = (texts: BankLoginTexts, cancel: (() => void) | undefined) =>
  html`<details>
    <summary>${texts.noCode}</summary>
    <p class="quiet">${texts.noCodeHelp}</p>
    <button type="button" part="button cancel" ?disabled=${!cancel} @click=${cancel}>${texts.cancel}</button>
  </details>`;

/** That the approval in the bank's app is awaited. */
const approvalTemplate = ({ awaitingApproval }: BankLoginTexts) =>
  html`<p class="note" part="approval"><span class="spinner" aria-hidden="true"></span><span>${awaitingApproval}</span></p>`;

function credentialsTemplate(screen: Screen, { fields }: LoginForm) {
  const { view, texts, form } = screen;
  const state = "bank" in view ? view.bank?.state : undefined;
  const wait = "form" in view ? undefined : formatWait(view, texts);
  const words = fillIn(texts.privacy, { host: screen.host.name || texts.thisSite });
  const privacy = words && html`<p class="note quiet" part="privacy">${drawIcon("", lock)}<span>${words}</span></p>`;
  return html`${state === undefined ? nothing : troubleTemplate(state, screen)}
    ${form.template({
      fields,
      texts,
      label: texts.logIn,
      verb: "submit",
      wait,
      notes: notesTemplate(screen, privacy),
      time: wait === undefined ? helpTemplate(screen, texts.forgotPassword) : timeTemplate(screen),
      send: (values) => ("form" in view ? view.submit(values) : undefined),
      changed: "form" in view ? view.narrow : undefined,
    })}`;
}

/** The link to where a person gets a new password at this bank, if the page knows. */
function helpTemplate({ view, host: { passwordHelp: help } }: Screen, text: string) {
  const code = "bank" in view ? view.bank?.code : undefined;
  const link = help && code !== undefined && Object.hasOwn(help, code) ? help[code] : undefined;
  return linkTemplate(link, text, "help");
}

/** A link of the page's own. The person keeps the login beside what explains it. */
function linkTemplate(address: string | undefined, text: string, kind: "primary" | "help") {
  const url = toPageAddress(address);
  if (url === undefined) return nothing;
  return kind === "primary"
    ? html`<a class="primary" part="button continue" href=${url}>${text}</a>`
    : html`<a class="help" part="help" href=${url} target="_blank" rel="noopener noreferrer">${text}</a>`;
}

/** What stands above the fields: what went wrong, what happens, else something calm. There is room for the longest of the texts, so that nothing moves when one shows. */
function notesTemplate(screen: Screen, calm: TemplateResult | "") {
  const failure = failureTemplate(screen);
  return html`<div class="notes" id="notes">
    ${calm && html`<p class="room" aria-hidden="true">${findLongest(screen)}</p>`}
    ${screen.view.busy && calm ? progressTemplate(screen.texts) : failure === nothing ? calm : failure}
  </div>`;
}

/** The longest text that can stand above a form. */
function findLongest({ language }: Screen): string {
  const failures = failureTexts(language);
  const doubtful = `${failures.service_unavailable} ${failures.may_have_arrived}`;
  const texts = [...Object.values(failures), doubtful, formatRepeat(1, language)];
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest));
}

/** What happens while the bank is asked. */
function progressTemplate({ waitSent, waitChecked, waitThen }: BankLoginTexts) {
  return html`<ol class="progress quiet" part="progress">
    ${[waitSent, waitChecked, waitThen].map((text) => html`<li>${text}</li>`)}
  </ol>`;
}

function failureTemplate(screen: Screen) {
  const failures = listFailures(screen);
  if (failures.length === 0) return nothing;
  return html`<div class="failure" part="failure" role="alert">${failures}</div>`;
}

/** What went wrong: that there is no connection, or the component's text and what the bank itself says. */
function listFailures({ view, texts, form }: Screen): readonly TemplateResult[] {
  if (form.offline !== undefined) return [paragraphTemplate(form.offline)];
  if ("failure" in view) {
    const { text, description } = view.failure;
    return [paragraphTemplate(text), ...(description === undefined ? [] : [bankTextTemplate(description)])];
  }
  const text =
    view.state === "awaitingInteraction"
      ? view.question.repeatText
      : view.state === "selectClient"
        ? view.repeatText
        : "form" in view && view.narrowingFailure
          ? texts.narrowingFailed
          : undefined;
  return text === undefined ? [] : [paragraphTemplate(text)];
}

function timeTemplate(screen: Screen) {
  const time = formatTime(screen);
  if (time === undefined) return nothing;
  return html`<p class=${screen.view.busy ? "quiet" : "short"} part="countdown" role="timer">${time}</p>`;
}

/** The time that is left to answer, or that a wait has taken. */
function formatTime({ view, texts, countdown: { seconds } }: Screen): string | undefined {
  const text = texts[view.busy ? "stillWaiting" : "timeShort"];
  return seconds === undefined ? undefined : fillIn(text, { time: formatDuration(seconds) });
}
