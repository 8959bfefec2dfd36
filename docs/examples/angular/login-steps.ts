import { Component, computed, input } from "@angular/core";
import { type LoginStep, pasteCode } from "../form.ts";
import { CredentialForm } from "./credential-form.ts";
import { LabelledField } from "./labelled-field.ts";
import { PlainForm } from "./plain-form.ts";

/**
 * The states of a login, alone or within a link flow: strict templates refuse a state without a branch. The buttons to cancel are
 * above them, where no form is.
 */
@Component({
  selector: "login-steps",
  imports: [CredentialForm, LabelledField, PlainForm],
  template: `
    @let now = view();
    @if (now.state === "selectClient") {
      <p>For whom?</p>
      @for (client of now.clients; track client.id) {
        <button type="button" [attr.data-choice]="client.id" (click)="now.choose(client.id)">{{ client.name }}</button>
      }
    } @else if (question(); as asked) {
      <plain-form
        verb="answer"
        [text]="asked.kind === 'confirmation' ? 'I have confirmed' : 'Continue'"
        [sent]="now.busy"
        [subject]="asked.number"
        [submit]="answer"
        (paste)="paste($event)"
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
    } @else if (now.state !== "awaitingInteraction") {
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
    if (view.state === "submitting") return view.sent.question;
    return view.state === "awaitingInteraction" ? view.question : undefined;
  });

  protected readonly paste = (event: ClipboardEvent) => pasteCode(event, this.view());

  protected readonly answer = (values: FormData) => this.view().answer?.(values);
}
