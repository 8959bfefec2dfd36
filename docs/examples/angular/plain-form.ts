import { afterRenderEffect, Component, type ElementRef, input, viewChild } from "@angular/core";
import type { FieldErrors } from "ventanilla";
import { focusFirstEmpty, sendForm } from "../form.ts";

/** A form that can be sent once, and has the focus when it appears and when the bank has responded. */
@Component({
  selector: "plain-form",
  // Outside a dialog this method sends nothing: a password never gets into the address before the script is there.
  template: `
    <form #form method="dialog" autocapitalize="none" autocorrect="off" spellcheck="false" (submit)="send($event)">
      <fieldset [disabled]="sent()">
        <ng-content />
        <button type="submit" [attr.data-verb]="verb()">{{ sent() ? "Talking to the bank…" : text() }}</button>
      </fieldset>
    </form>
  `,
  host: { style: "display: contents" },
})
export class PlainForm {
  readonly verb = input.required<string>();
  readonly text = input("Continue");
  readonly sent = input.required<boolean>();
  /** What the form is about now. With another one it has the focus again, also where `sent` came and went between two renders. */
  readonly subject = input<unknown>();
  readonly submit = input.required<(values: FormData) => FieldErrors | undefined>();
  private readonly form = viewChild.required<ElementRef<HTMLFormElement>>("form");

  constructor() {
    afterRenderEffect(() => {
      this.subject();
      if (!this.sent()) focusFirstEmpty(this.form().nativeElement);
    });
  }

  protected send(event: Event): void {
    event.preventDefault();
    sendForm(this.form().nativeElement, this.submit());
  }
}
