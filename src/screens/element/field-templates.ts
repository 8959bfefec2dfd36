import { html, noChange, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { reveal } from "../../core/api/reveal.ts";
import type { FormField } from "../../core/login/form-fields.ts";
import type { BankLoginTexts } from "../../core/texts/languages.ts";
import type { FieldErrors } from "../../core/view/form-schema.ts";
import type { PictureView } from "../../core/view/question-view.ts";

/** The state and the actions of a form, for its fields. */
export interface FieldContext {
  readonly texts: BankLoginTexts;
  /** The faults, by field name. */
  readonly errors: FieldErrors;
  /** The names of the passwords that are shown. */
  readonly revealed: ReadonlySet<string>;
  /** The id of the question that the field answers. */
  readonly questionId?: string | undefined;
  /** Whether the question says all that the label would: the label is then heard and not seen. */
  readonly isQuestionLabel?: boolean | undefined;
  /** Whether a few choices show as cards, each in sight. */
  readonly cards?: boolean | undefined;
  /** The name of the last field: its Enter key sends the form. */
  readonly last: string | undefined;
  reveal(name: string): void;
  /** What a field takes from a text that is pasted into it. */
  readPaste?: ((name: string, text: string) => string) | undefined;
  /** A field with choices was changed. */
  changed?: ((name: string, value: string) => void) | undefined;
}

/** A picture. A click or a key enlarges it. */
export function pictureTemplate({ url, alt }: PictureView, zoom: string): TemplateResult {
  const turn = ({ currentTarget }: Event) => {
    const button = currentTarget as HTMLButtonElement;
    button.ariaPressed = String(button.ariaPressed !== "true");
  };
  return html`<button type="button" class="picture" part="picture" aria-pressed="false" title=${zoom} @click=${turn}>
    <img src=${url} alt=${alt} />
  </button>`;
}

// More choices are a list to open.
const CARDS = 5;

/** The id of a field's control within the component. Half a character of a broken name could not be encoded. */
export const toControlId = (name: string): string =>
  `field-${encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, "\ufffd"))}`;

/**
 * The name of a field's control, for password managers and tests. Nothing for a name such as `submit`: the control would hide that member
 * of its form from other scripts.
 */
const toControlName = (name: string) => (name in (globalThis.HTMLFormElement?.prototype ?? {}) ? nothing : name);

/** A field with its label and its fault. */
export function fieldTemplate(field: FormField, context: FieldContext): TemplateResult {
  const { texts, errors } = context;
  const error = Object.hasOwn(errors, field.name) ? errors[field.name] : undefined;
  const id = toControlId(field.name);
  if (field.input === "hidden") {
    return html`<input type="hidden" id=${id} name=${toControlName(field.name)} value=${field.initial} />`;
  }
  if (context.cards && field.required && field.choices.length <= CARDS) return cardsTemplate(field, id, error, context);
  return html`<div class="field" part="field">
    <label class=${labelClass(context)} id="${id}-label" for=${id} part="label">${field.label}${
      field.required ? nothing : html` <span class="quiet">(${texts.optional})</span>`
    }</label>
    ${field.input === "select" ? selectTemplate(field, id, context) : inputTemplate(field, id, context)}
    <span class="invalid" id="${id}-error">${error}</span>
  </div>`;
}

const labelClass = ({ isQuestionLabel }: FieldContext) => (isQuestionLabel ? "label announcement" : "label");

/** The ids of the question and of the label, if both name a field. */
const namedBy = (id: string, { questionId, isQuestionLabel }: FieldContext): string | undefined =>
  isQuestionLabel ? `${questionId} ${id}-label` : undefined;

/** The ids of the texts that describe a field: the question, unless it is its label, what is above a password (who gets it, or what went wrong), and the fault. */
function describedBy(
  { name, input }: FormField,
  { questionId, isQuestionLabel, errors }: FieldContext,
): string | typeof nothing {
  return (
    [
      !isQuestionLabel && questionId,
      input === "password" && !questionId && "notes",
      Object.hasOwn(errors, name) && `${toControlId(name)}-error`,
    ]
      .filter(Boolean)
      .join(" ") || nothing
  );
}

function inputTemplate(field: FormField, id: string, context: FieldContext): TemplateResult {
  const { texts, errors, revealed } = context;
  const { name, input, autocomplete, inputMode, required, initial, prefill } = field;
  const isRevealed = revealed.has(name);
  return html`<div class="entry">
    <input
      part="input"
      class=${autocomplete === "one-time-code" ? "code" : ""}
      id=${id}
      name=${toControlName(name)}
      type=${input === "password" && !isRevealed ? "password" : "text"}
      autocomplete=${autocomplete as "off"}
      inputmode=${inputMode}
      enterkeyhint=${name === context.last ? "go" : "next"}
      autocapitalize="none"
      autocorrect="off"
      spellcheck="false"
      aria-required=${required}
      aria-invalid=${Object.hasOwn(errors, name)}
      aria-labelledby=${namedBy(id, context) ?? nothing}
      aria-describedby=${describedBy(field, context)}
      value=${initial}
      .value=${prefill ? reveal(prefill) : noChange}
      @paste=${(event: ClipboardEvent) => paste(event, context, name)}
    />
    ${
      input === "password"
        ? html`<button
            type="button"
            class="reveal"
            part="reveal"
            aria-controls=${id}
            aria-label=${`${isRevealed ? texts.hide : texts.show}: ${field.label}`}
            @click=${() => context.reveal(name)}
          >
            ${isRevealed ? texts.hide : texts.show}
          </button>`
        : nothing
    }
  </div>`;
}

/** Pastes the code of a message alone. */
function paste(event: ClipboardEvent, { readPaste }: FieldContext, name: string): void {
  const text = event.clipboardData?.getData("text") ?? "";
  const code = readPaste?.(name, text) ?? text;
  if (code === text) return;
  event.preventDefault();
  const input = event.target as HTMLInputElement;
  input.setRangeText(code, input.selectionStart ?? 0, input.selectionEnd ?? 0, "end");
}

function cardsTemplate(field: FormField, id: string, error: string | undefined, context: FieldContext): TemplateResult {
  const { name, label, choices, initial } = field;
  return html`<div
    class="field"
    part="field"
    id=${id}
    role="radiogroup"
    aria-labelledby=${namedBy(id, context) ?? `${id}-label`}
    aria-required="true"
    aria-invalid=${error !== undefined}
    aria-describedby=${describedBy(field, context)}
  >
    <span class=${labelClass(context)} id="${id}-label" part="label">${label}</span>
    <div class="choices">
      ${choices.map(
        ({ value, label }) => html`<label class="choice" part="choice">
          <input type="radio" name=${toControlName(name)} value=${value} ?checked=${value === initial} />${label}
        </label>`,
      )}
    </div>
    <span class="invalid" id="${id}-error">${error}</span>
  </div>`;
}

function selectTemplate(field: FormField, id: string, context: FieldContext): TemplateResult {
  const { texts, errors, changed } = context;
  const { name, required, choices, initial } = field;
  return html`<select
    part="input"
    id=${id}
    name=${toControlName(name)}
    aria-required=${required}
    aria-invalid=${Object.hasOwn(errors, name)}
    aria-labelledby=${namedBy(id, context) ?? nothing}
    aria-describedby=${describedBy(field, context)}
    @change=${(event: Event) => changed?.(name, (event.target as HTMLSelectElement).value)}
  >
    <option value="">${texts.choose}</option>
    ${repeat(
      choices,
      ({ value }) => value,
      ({ value, label }) => html`<option value=${value} ?selected=${value === initial}>${label}</option>`,
    )}
  </select>`;
}
