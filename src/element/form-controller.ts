import { html, type LitElement, type TemplateResult } from "lit";
import type { FormField, FormValues } from "../login/form-fields.ts";
import type { FormSchema } from "../view/form-schema.ts";
import type { BankLoginTexts } from "./component-texts.ts";
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
  readonly #host: LitElement;
  #fields: readonly FormField[] = [];
  #issues: ReadonlyMap<string, string> = new Map();
  readonly #revealed = new Set<string>();

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Whether it was submitted with faults. */
  get isRefused(): boolean {
    return this.#issues.size > 0;
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

  /** The faults of the form that was drawn last, each with a link to its field. */
  issuesTemplate(texts: BankLoginTexts): TemplateResult {
    const formatLabel = (name: string) => this.#fields.find((field) => field.name === name)?.label ?? name;
    return html`<strong>${texts.check}</strong>
      <ul>
        ${[...this.#issues].map(
          ([name, message]) => html`<li>
            <a href="#${toControlId(name)}" @click=${(event: Event) => this.#focus(event, name)}
              >${formatLabel(name)}: ${message}</a
            >
          </li>`,
        )}
      </ul>`;
  }

  #reveal(name: string): void {
    if (!this.#revealed.delete(name)) this.#revealed.add(name);
    this.#host.requestUpdate();
  }

  #focus(event: Event, name: string): void {
    // Without it the link would change the address of the page.
    event.preventDefault();
    this.#findControl(name)?.focus();
  }

  /** Finds it by id, because a bank may name a field like a member of forms. */
  #findControl(name: string) {
    const control = (this.#host.renderRoot as ShadowRoot).getElementById(toControlId(name));
    return control as HTMLInputElement | HTMLSelectElement | null;
  }
}
