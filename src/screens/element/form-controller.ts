import { html, type LitElement, type TemplateResult } from "lit";
import type { FormField, FormValues } from "../../core/login/form-fields.ts";
import type { BankLoginTexts } from "../../core/texts/languages.ts";
import type { FormSchema } from "../../core/view/form-schema.ts";
import { type FieldContext, fieldTemplate, toControlId } from "./field-templates.ts";

/** A form and its submit. */
export interface FormContext extends Pick<FieldContext, "texts" | "changed" | "questionId"> {
  readonly fields: readonly FormField[];
  readonly schema: FormSchema;
  /** The text of its button. */
  readonly label: string;
  readonly verb: "submit" | "answer";
  /** The text of its button during the request, while the form is disabled. */
  readonly wait: string | undefined;
  send(values: FormValues): void;
}

/** The form that the component shows: its faults, and which hidden values it reveals. */
export class FormController {
  /** How often what was typed was dropped. */
  generation = 0;
  readonly #host: LitElement;
  #fields: readonly FormField[] = [];
  #issues: ReadonlyMap<string, string> = new Map();
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

  /** Removes the faults and hides all values, for another form. */
  clear(): void {
    this.#issues = new Map();
    this.#revealed.clear();
  }

  template({ fields, schema, texts, label, verb, wait, questionId, send, changed }: FormContext): TemplateResult {
    this.#fields = fields;
    const submit = async (event: SubmitEvent) => {
      event.preventDefault();
      const controls = fields.map(({ name, input }) => ({ name, input, control: this.#findControl(name) }));
      const values: FormValues = Object.fromEntries(controls.map(({ name, control }) => [name, control?.value ?? ""]));
      const result = await schema["~standard"].validate(values);
      if (result.issues) {
        this.#issues = new Map(result.issues.map(({ message, path }) => [String(path?.[0] ?? ""), message]));
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
      send(result.value);
    };
    const context: FieldContext = {
      texts,
      issues: this.#issues,
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
  findIssues({ check }: BankLoginTexts): string | undefined {
    const faulty = this.#fields.filter(({ name }) => this.#issues.has(name));
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
