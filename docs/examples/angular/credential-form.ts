import { Component, computed, input } from "@angular/core";
import type { CredentialStep } from "../form.ts";
import { LabelledField } from "./labelled-field.ts";
import { PlainForm } from "./plain-form.ts";

/** The form of a login: to be filled in, under way, or with what went wrong. */
@Component({
  selector: "credential-form",
  imports: [LabelledField, PlainForm],
  template: `
    @let now = view();
    @if (failure(); as failed) {
      <p role="alert">{{ failed.text }}</p>
    }
    <plain-form verb="submit" [sent]="now.busy" [subject]="failure()" [submit]="submit">
      @for (field of fields(); track field.name) {
        <labelled-field [field]="field" (chosen)="narrow(field.name, $event)" />
      }
    </plain-form>
    @if (now.state === "failed" && now.replaceSession) {
      <button type="button" data-verb="replaceSession" (click)="now.replaceSession()">Close all my sessions</button>
    }
  `,
  host: { style: "display: contents" },
})
export class CredentialForm {
  readonly view = input.required<CredentialStep>();
  protected readonly fields = computed(() => {
    const view = this.view();
    return (view.state === "submitting" ? view.sent.form : view.form).fields;
  });

  protected readonly failure = computed(() => {
    const view = this.view();
    return view.state === "failed" ? view.failure : undefined;
  });

  protected readonly submit = (values: FormData) => this.view().submit?.(values);

  protected narrow(field: string, value: string): void {
    const view = this.view();
    if ("narrow" in view) view.narrow?.(field, value);
  }
}
