import { html, type LitElement, type TemplateResult } from "lit";
import type { FormField, FormValues } from "../login/form-fields.ts";
import type { FormSchema } from "../view/form-schema.ts";
import type { BankLoginTexts } from "./component-texts.ts";
import { type FieldContext, fieldTemplate, toControlId } from "./field-templates.ts";

/** What a form asks, and where it goes. */
export interface FormContext extends Pick<FieldContext, "texts" | "changed" | "questionId"> {
  readonly fields: readonly FormField[];
  readonly schema: FormSchema;
  /** What its button says. */
  readonly label: string;
  readonly verb: "submit" | "answer";
  /** What its button says while it is under way; it takes nothing then. */
  readonly wait: string | undefined;
  send(values: FormValues): void;
}

/** The form that the component shows: what is wrong in it, and which hidden values the person wants to see. */
export class FormController {
  readonly #host: LitElement;
  #fields: readonly FormField[] = [];
  #issues: ReadonlyMap<string, string> = new Map();
  readonly #revealed = new Set<string>();

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Whether it was sent with something wrong in it. */
  get isRefused(): boolean {
    return this.#issues.size > 0;
  }

  /** Another form: nothing is wrong in it yet, and everything hidden hides. */
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
      // What was typed stays for a second try, but for what hides itself, and answers, which are good for one.
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

  /** What is wrong in the form that was drawn last, each with a way to its field. */
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
    // The address of the page stays as it is.
    event.preventDefault();
    this.#findControl(name)?.focus();
  }

  /** By id: whatever a form knows by name could be the name of a bank's field. */
  #findControl(name: string): HTMLInputElement | HTMLSelectElement | null {
    return (this.#host.renderRoot as ShadowRoot).querySelector(`#${CSS.escape(toControlId(name))}`);
  }
}
