import { html, type LitElement, nothing, type TemplateResult } from "lit";
import type { FormField, FormValues } from "../../core/login/form-fields.ts";
import type { FieldErrors } from "../../core/view/form-schema.ts";
import { type FieldContext, fieldTemplate, toControlId } from "./field-templates.ts";

/** The controls that have a fault. */
export const FAULTY = ':is(input, select)[aria-invalid="true"], [aria-invalid="true"] input';

/** A form and its submit. */
export interface FormContext
  extends Pick<FieldContext, "texts" | "changed" | "readPaste" | "questionId" | "isQuestionLabel" | "cards"> {
  readonly fields: readonly FormField[];
  /** The text of its button. */
  readonly label: string;
  readonly verb: "submit" | "answer";
  /** The text of its button during the request, while the form is disabled. */
  readonly wait: string | undefined;
  /** The text that opens the fields, if they are optional. */
  readonly disclosure?: string | undefined;
  /** What shows above the fields. */
  readonly notes: TemplateResult | typeof nothing;
  /** What shows below the button. */
  readonly time: TemplateResult | typeof nothing;
  /** @param isDisclosed whether the button of the fields that were opened was pressed. */
  send(values: FormValues, isDisclosed: boolean): FieldErrors | undefined;
}

/** The form that the component shows: its faults, and which hidden values it reveals. */
export class FormController {
  /** How often what was typed was dropped. */
  generation = 0;
  readonly #host: LitElement;
  /** The names of the fields that were sent and are emptied after the request. */
  #sent: readonly string[] = [];
  #errors: FieldErrors = {};
  readonly #revealed = new Set<string>();
  /** Whether the person has opened the optional fields. */
  #isDisclosed = false;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Drops what was typed, with the inputs, and hides all values. */
  drop(): void {
    this.generation += 1;
    this.#isDisclosed = false;
    this.clear();
    this.#host.requestUpdate();
  }

  /** Why the form could not be sent: there is no connection. */
  get offline(): string | undefined {
    return this.#errors[""];
  }

  /** Says that the form could not be sent, or no more. What was typed stays, and so does the focus. */
  showOffline(errors?: FieldErrors): void {
    this.#errors = errors ?? {};
    this.#host.requestUpdate();
  }

  /** Hides all values, for another form, and shows these faults in it. */
  clear(errors: FieldErrors = {}): void {
    this.#errors = errors;
    this.#revealed.clear();
  }

  /** Empties what was sent, after its request: passwords, and answers, which are valid once. The rest stays for another try. */
  emptySent(): void {
    for (const name of this.#sent) {
      const control = this.#findControl(name);
      if (control instanceof HTMLInputElement) control.value = "";
    }
    this.#sent = [];
    this.#isDisclosed = false;
  }

  template({
    fields,
    texts,
    label,
    verb,
    wait,
    notes,
    time,
    questionId,
    isQuestionLabel,
    cards,
    disclosure,
    send,
    changed,
    readPaste,
  }: FormContext): TemplateResult {
    const submit = async (event: SubmitEvent) => {
      event.preventDefault();
      const values: FormValues = Object.fromEntries(fields.map(({ name }) => [name, this.#readValue(name)]));
      const errors = send(values, event.submitter?.closest("details") != null);
      if (errors) {
        this.#errors = errors;
        this.#host.requestUpdate();
        await this.#host.updateComplete;
        this.#host.renderRoot.querySelector<HTMLElement>(FAULTY)?.focus();
        return;
      }
      this.#sent = fields
        .filter(({ input }) => input === "password" || (verb === "answer" && input !== "hidden"))
        .map(({ name }) => name);
    };
    const context: FieldContext = {
      texts,
      errors: this.#errors,
      revealed: this.#revealed,
      questionId,
      isQuestionLabel,
      cards,
      last: fields.findLast(({ input }) => input !== "hidden")?.name,
      changed,
      readPaste,
      reveal: (name) => this.#reveal(name),
    };
    const isHidden = disclosure !== undefined && fields.some(({ input }) => input !== "hidden");
    const controls = fields.map((field) => fieldTemplate(isHidden ? { ...field, required: true } : field, context));
    const isDisclosed = isHidden && this.#isDisclosed;
    const formatButton = (label: string) =>
      wait === undefined ? label : html`<span class="spinner" aria-hidden="true"></span>${wait}`;
    // Before its script is there, and after it has failed, a form sends nothing into its address.
    return html`<form novalidate method="post" @submit=${submit} @keydown=${goToNext}>
      <fieldset ?disabled=${wait !== undefined}>
        ${notes} ${isHidden ? nothing : controls}
        <button type="submit" class=${isDisclosed ? "" : "primary"} part="button ${verb}" data-verb=${verb}>
          ${isDisclosed ? label : formatButton(label)}
        </button>
        ${
          isHidden
            ? html`<details>
                <summary @click=${this.#disclose}>${disclosure}</summary>
                ${controls}
                <button type="submit" class="primary" part="button ${verb}">${formatButton(texts.confirm)}</button>
              </details>`
            : nothing
        }
        <div class="foot">${time}</div>
      </fieldset>
    </form>`;
  }

  /** Opens the fields, or closes them. Not at `toggle`: a phone shows its keyboard only for a focus during the click. */
  readonly #disclose = (event: Event): void => {
    event.preventDefault();
    const details = (event.currentTarget as Element).parentElement as HTMLDetailsElement;
    details.open = !details.open;
    this.#isDisclosed = details.open;
    this.#host.requestUpdate();
    details.querySelector("input")?.focus();
  };

  #reveal(name: string): void {
    if (!this.#revealed.delete(name)) this.#revealed.add(name);
    this.#host.requestUpdate();
  }

  #readValue(name: string): string {
    const control = this.#findControl(name);
    // A group of choices has no value of its own.
    const chosen = control?.querySelector<HTMLInputElement>("input:checked");
    return chosen?.value ?? control?.value ?? "";
  }

  /** Finds it by id, because a bank may name a field like a member of forms. */
  #findControl(name: string) {
    const control = (this.#host.renderRoot as ShadowRoot).getElementById(toControlId(name));
    return control as HTMLInputElement | HTMLSelectElement | null;
  }
}

/**
 * The Enter key of a field that is not the last goes to the next one, if that is empty, as the key of a phone says. Else it presses the button below: a
 * browser presses the first one.
 */
function goToNext(event: KeyboardEvent): void {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing || !(field instanceof HTMLInputElement)) return;
  const button = field.closest("details")?.querySelector("button");
  if (button) {
    event.preventDefault();
    button.click();
    return;
  }
  const controls = [...(field.form?.querySelectorAll<HTMLInputElement>('input:not([type="hidden"]), select') ?? [])];
  const next = controls[controls.indexOf(field) + 1];
  if (field.enterKeyHint !== "next" || next?.value !== "") return;
  event.preventDefault();
  next.focus();
}
