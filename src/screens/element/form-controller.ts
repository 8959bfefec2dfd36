import { html, type LitElement, type TemplateResult } from "lit";
import type { FormField, FormValues } from "../../core/login/form-fields.ts";
import type { BankLoginTexts } from "../../core/texts/languages.ts";
import type { FieldErrors } from "../../core/view/form-schema.ts";
import { type FieldContext, fieldTemplate, toControlId } from "./field-templates.ts";

/** A form and its submit. */
export interface FormContext extends Pick<FieldContext, "texts" | "changed" | "questionId"> {
  readonly fields: readonly FormField[];
  /** The text of its button. */
  readonly label: string;
  readonly verb: "submit" | "answer";
  /** The text of its button during the request, while the form is disabled. */
  readonly wait: string | undefined;
  send(values: FormValues): FieldErrors | undefined;
}

/** The form that the component shows: its faults, and which hidden values it reveals. */
export class FormController {
  /** How often what was typed was dropped. */
  generation = 0;
  readonly #host: LitElement;
  #fields: readonly FormField[] = [];
  #errors: FieldErrors = {};
  readonly #revealed = new Set<string>();

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Drops what was typed, with the inputs, and hides all values. */
  drop(): void {
    this.generation += 1;
    this.clear();
    this.#host.requestUpdate();
  }

  /** Hides all values, for another form, and shows these faults in it. */
  clear(errors: FieldErrors = {}): void {
    this.#errors = errors;
    this.#revealed.clear();
  }

  template({ fields, texts, label, verb, wait, questionId, send, changed }: FormContext): TemplateResult {
    this.#fields = fields;
    const submit = async (event: SubmitEvent) => {
      event.preventDefault();
      const controls = fields.map(({ name, input }) => ({ name, input, control: this.#findControl(name) }));
      const values: FormValues = Object.fromEntries(controls.map(({ name, control }) => [name, control?.value ?? ""]));
      const errors = send(values);
      if (errors) {
        this.#errors = errors;
        this.#host.requestUpdate();
        await this.#host.updateComplete;
        this.#host.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
        return;
      }
      // What was typed stays for another try, except passwords, and answers, which are valid once.
      for (const { input, control } of controls) {
        const isKept = (verb === "submit" && input !== "password") || input === "hidden";
        if (!isKept && control instanceof HTMLInputElement) control.value = "";
      }
    };
    const context: FieldContext = {
      texts,
      errors: this.#errors,
      revealed: this.#revealed,
      questionId,
      changed,
      reveal: (name) => this.#reveal(name),
    };
    return html`<form novalidate @submit=${submit}>
      <fieldset ?disabled=${wait !== undefined}>
        ${fields.map((field) => fieldTemplate(field, context))}
        <button type="submit" class="primary" part="button ${verb}" data-verb=${verb}>
          ${wait === undefined ? label : html`<span class="spinner" aria-hidden="true"></span>${wait}`}
        </button>
      </fieldset>
    </form>`;
  }

  /** Which fields of the form that was drawn last are faulty; each of them says why. */
  findErrors({ check }: BankLoginTexts): string | undefined {
    const faulty = this.#fields.filter(({ name }) => Object.hasOwn(this.#errors, name));
    return faulty.length > 0 ? `${check}: ${faulty.map(({ label }) => label).join(", ")}` : undefined;
  }

  #reveal(name: string): void {
    if (!this.#revealed.delete(name)) this.#revealed.add(name);
    this.#host.requestUpdate();
  }

  /** Finds it by id, because a bank may name a field like a member of forms. */
  #findControl(name: string) {
    const control = (this.#host.renderRoot as ShadowRoot).getElementById(toControlId(name));
    return control as HTMLInputElement | HTMLSelectElement | null;
  }
}
