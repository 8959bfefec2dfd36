import { Component, computed, input } from "@angular/core";
import type { LoginStep } from "../form.ts";
import { CredentialForm } from "./credential-form.ts";
import { LabelledField } from "./labelled-field.ts";
import { PlainForm } from "./plain-form.ts";

/**
 * The steps of a login, alone or within a link flow: one branch for each: strict templates refuse a step without one. The
 * buttons to cancel are above them, where no form is.
 */
@Component({
  selector: "login-steps",
  imports: [CredentialForm, LabelledField, PlainForm],
  template: `
    @let now = view();
    @if (now.step === "choosingClient") {
      <p>For whom?</p>
      @for (client of now.clients; track client.id) {
        <button type="button" [attr.data-choice]="client.id" (click)="now.choose(client.id)">{{ client.name }}</button>
      }
    } @else if (now.step === "clientRequired") {
      <p role="status">This user stands for several clients, which is not supported here.</p>
    } @else if (now.step === "selectingClient") {
      <p role="status">Talking to the bank…</p>
    } @else if (question(); as asked) {
      <plain-form
        verb="answer"
        [text]="asked.kind === 'confirmation' ? 'I have confirmed' : 'Continue'"
        [sent]="'sent' in now"
        [subject]="asked.number"
        [submit]="answer"
      >
        @if (asked.repeatText) {
          <p role="alert">{{ asked.repeatText }}</p>
        }
        <p>{{ asked.text }}</p>
        @for (one of [asked]; track one.number) {
          @if (one.kind === "picture" && one.picture; as picture) {
            <details class="picture">
              <summary>
                <img [src]="picture.url" [alt]="picture.alt" />
              </summary>
            </details>
          }
          @for (field of one.fields; track field.name) {
            <labelled-field [field]="field" />
          }
        }
      </plain-form>
    } @else if (now.step !== "answering") {
      <credential-form [view]="now" />
    }
  `,
  host: { style: "display: contents" },
})
export class LoginSteps {
  readonly view = input.required<LoginStep>();
  /** The question. It stays in its place during the request of the answer. */
  protected readonly question = computed(() => {
    const view = this.view();
    if ("sent" in view) return view.sent.question;
    return view.step === "answering" ? view.question : undefined;
  });

  protected readonly answer = (values: FormData) => {
    const view = this.view();
    return view.step === "answering" ? view.answer(values) : undefined;
  };
}
