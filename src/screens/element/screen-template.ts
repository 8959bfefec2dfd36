import { html, nothing, type TemplateResult } from "lit";
import { cache } from "lit/directives/cache.js";
import { keyed } from "lit/directives/keyed.js";
import type { FormValues } from "../../core/login/form-fields.ts";
import { formatRepeat } from "../../core/login/labels.ts";
import { describeFailure } from "../../core/texts/describe-failure.ts";
import type { Locale } from "../../core/texts/languages.ts";
import { type BankLoginTexts, fillIn } from "../../core/texts/languages.ts";
import type { FieldErrors } from "../../core/view/form-schema.ts";
import type { LinkView } from "../../core/view/link-view.ts";
import type { LoginForm } from "../../core/view/login-view.ts";
import type { QuestionView } from "../../core/view/question-view.ts";
import { stopTypedCharacters } from "./card.ts";
import { type Countdown, formatDuration } from "./countdown.ts";
import { pictureTemplate } from "./field-templates.ts";
import type { FormController } from "./form-controller.ts";
import { logoTemplate, type ProviderFilter, providersTemplate, toLogoAddress } from "./provider-list.ts";
import {
  buttonTemplate,
  clientsTemplate,
  doneTemplate,
  formatSuccess,
  formatWait,
  headerTemplate,
  primaryTemplate,
  waitTemplate,
} from "./step-templates.ts";
import { findForm, isLogin } from "./step-verbs.ts";

/** What the component draws. */
export interface Screen extends ProviderFilter {
  readonly view: LinkView;
  readonly texts: BankLoginTexts;
  readonly locale: Locale;
  readonly form: FormController;
  readonly countdown: Countdown;
  restart(): void;
  /** The mouse is pressed. */
  pressed(event: MouseEvent): void;
}

/** One step of the flow, in its card. */
export function screenTemplate(screen: Screen): TemplateResult {
  const {
    view,
    texts,
    locale,
    form: { generation },
    countdown,
    logoOrigin,
  } = screen;
  const wait = formatWait(view, texts);
  const bank = "bank" in view ? view.bank : undefined;
  // The cache keeps the form and what was typed while the form can come back. Another key drops both: another bank, another generation,
  // or the end of the login.
  const typing = isLogin(view) ? `${generation} ${view.bank.code}` : "";
  const form = findForm(view);
  const success = view.step === "linked" ? formatSuccess(view, texts) : undefined;
  const { seconds, isAnnounced } = countdown;
  const timeText = view.busy ? texts.stillWaiting : texts.timeLeft;
  const time = seconds === undefined ? undefined : fillIn(timeText, { time: formatDuration(seconds) });
  // A tool that translates pages would take the place of texts, and the next question would not show.
  return html`<section
    part="card"
    aria-labelledby="title"
    lang=${locale}
    dir="ltr"
    translate="no"
    data-step=${view.step}
    @mousedown=${screen.pressed}
    @keydown=${stopTypedCharacters}
    @keypress=${stopTypedCharacters}
  >
    ${headerTemplate(view, texts, bank && { ...bank, logo: logoTemplate(bank.name, toLogoAddress(bank.logo, logoOrigin)) })}
    <p class="announcement" role="status">${isAnnounced ? time : (wait ?? success)}</p>
    ${form && bank?.state !== undefined ? html`<p class="quiet">${formatProviderState(bank.state, texts)}</p>` : nothing}
    ${keyed(
      typing,
      html`${cache(form ? html`<div class="step" aria-busy=${view.busy}>${credentialsTemplate(screen, form)}</div>` : nothing)}`,
    )}
    ${form ? nothing : html`<div class="step" aria-busy=${view.busy}>${stepTemplate(screen, wait)}</div>`}
    ${time === undefined ? nothing : html`<p class="quiet" part="countdown" role="timer">${time}</p>`}
    ${failureTemplate(screen)}
    ${primaryTemplate(view, texts)}
  </section>`;
}

/** The service's word for the state of a bank: a wire value such as `under_maintenance`. */
function formatProviderState(state: string, texts: BankLoginTexts): string {
  return fillIn(texts.providerState, { state: state.replaceAll("_", " ") });
}

function stepTemplate(screen: Screen, wait: string | undefined) {
  const { view, texts, restart } = screen;
  if ("sent" in view && view.sent.question) return questionTemplate(screen, view.sent.question, wait);
  switch (view.step) {
    case "choosingProvider":
      return providersTemplate(view, screen);
    case "answering":
      return questionTemplate(screen, view.question, undefined, view.answer);
    case "choosingClient":
      return clientsTemplate(view);
    case "linked":
      return doneTemplate(formatSuccess(view, texts));
    case "clientRequired":
      return html`<p>${describeFailure("client_selection_off", screen.locale).text}</p>`;
    case "cancelled":
      return buttonTemplate("again", texts, restart);
    case "linkFailed":
    case "failed":
    case "enteringCredentials":
      return nothing;
    case "loadingProviders":
    case "loadingFields":
    case "submitting":
    case "listingClients":
    case "selectingClient":
    case "replacingSession":
    case "loadingDestinations":
      return waitTemplate(wait ?? "");
    default:
      return view satisfies never;
  }
}

/** What the button says, by the kind of the question. */
const answerLabels = {
  picture: "confirm",
  confirmation: "confirmed",
  choices: "confirm",
  code: "confirm",
  question: "confirm",
} as const satisfies Record<QuestionView["kind"], keyof BankLoginTexts>;

function questionTemplate(
  { texts, form }: Screen,
  question: QuestionView,
  wait: string | undefined,
  answer?: (values: FormValues) => FieldErrors | undefined,
) {
  const { kind, text, fields, number } = question;
  const picture = kind === "picture" && question.picture;
  return html`<p class="question" part="question" id="question">${text}</p>
    ${keyed(
      `${form.generation} ${number}`,
      html`${picture ? pictureTemplate(picture, texts.zoom) : nothing}
      ${form.template({
        fields,
        texts,
        label: texts[answerLabels[kind]],
        verb: "answer",
        wait,
        questionId: "question",
        send: (values) => answer?.(values),
      })}`,
    )}`;
}

function credentialsTemplate({ view, texts, form }: Screen, { fields }: LoginForm) {
  return form.template({
    fields,
    texts,
    label: texts.logIn,
    verb: "submit",
    wait: "form" in view ? undefined : formatWait(view, texts),
    send: (values) => ("form" in view ? view.submit(values) : undefined),
    changed: "form" in view ? view.narrow : undefined,
  });
}

/** What went wrong, below the form, where it moves nothing: what the bank said, and faults in the form. */
function failureTemplate({ view, texts, locale, form }: Screen) {
  const ofBank = "failure" in view ? view.failure.description : undefined;
  const shown = [findFailureText(view, texts), ofBank, form.findErrors(texts)].filter((text) => text !== undefined);
  // The card of a form has room for the longest of the texts, and keeps its height when one shows.
  if (shown.length === 0) return html`<p class="room">${formatRepeat(1, locale)}</p>`;
  return html`<div class="failure" part="failure" role="alert">${shown.map((text) => html`<p>${text}</p>`)}</div>`;
}

function findFailureText(view: LinkView, texts: BankLoginTexts) {
  if ("failure" in view) return view.failure.text;
  if (view.step === "answering") return view.question.repeatText;
  return "form" in view && view.narrowingFailure ? texts.narrowingFailed : undefined;
}
