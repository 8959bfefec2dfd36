import { Component, input } from "@angular/core";
import type { BankClient, LinkSettings } from "ventanilla";
import { injectLink } from "ventanilla/angular";
import { LoginSteps } from "./login-steps.ts";
import { ProviderList } from "./provider-list.ts";

/** From "which bank?" to where its session can transfer to. */
@Component({
  selector: "link-screen",
  imports: [LoginSteps, ProviderList],
  template: `
    @let now = view();
    <section [attr.data-state]="now.state" [attr.aria-busy]="now.busy">
      <!-- A button for a verb of the view. It is there in every step, disabled without the verb, so that no other button takes its place. -->
      <header>
        <button type="button" data-verb="changeProvider" [disabled]="!now.changeProvider" (click)="now.changeProvider?.()">
          Another bank
        </button>
        <button type="button" data-verb="cancel" [disabled]="!now.cancel" (click)="now.cancel?.()">Cancel</button>
        <button type="button" data-verb="cancelLink" [disabled]="!now.cancelLink" (click)="now.cancelLink?.()">Close</button>
      </header>
      @switch (now.state) {
        @case ("choosingProvider") {
          <provider-list [view]="now" />
        }
        @case ("linkFailed") {
          <p role="alert">{{ now.failure.text }}</p>
          <button type="button" data-verb="retry" (click)="now.retry()">Try again</button>
        }
        @case ("linked") {
          <ul>
            @for (destination of now.destinations; track destination.id) {
              <li>{{ destination.name }}</li>
            }
          </ul>
        }
        @case ("cancelled") {
          <p>Until next time.</p>
        }
        @default {
          @if (now.state === "loadingProviders" || now.state === "loadingFields" || now.state === "loadingDestinations") {
            <p role="status">One moment…</p>
          } @else {
            <h2>{{ now.bank.name }}</h2>
            <login-steps [view]="now" />
          }
        }
      }
    </section>
  `,
})
export class LinkScreen {
  readonly client = input.required<BankClient>();
  readonly username = input<string>();
  readonly settings = input<LinkSettings>({});
  protected readonly view = injectLink(this.client, () => ({ username: this.username(), settings: this.settings() }));
}
