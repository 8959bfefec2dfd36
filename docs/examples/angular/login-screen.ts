import { Component, input } from "@angular/core";
import type { BankClient, LoginSettings, ProviderDetail } from "ventanilla";
import { injectLogin } from "ventanilla/angular";
import { LoginSteps } from "./login-steps.ts";

/** A login at a bank that is known already. */
@Component({
  selector: "login-screen",
  imports: [LoginSteps],
  template: `
    @let now = view();
    <section [attr.data-state]="now.state" [attr.aria-busy]="now.busy">
      <header>
        <button type="button" data-verb="cancel" [disabled]="!now.cancel" (click)="now.cancel?.()">
          Cancel
        </button>
      </header>
      @if (now.state === "loggedIn") {
        <p>You are logged in.</p>
      } @else {
        <login-steps [view]="now" />
      }
    </section>
  `,
})
export class LoginScreen {
  readonly client = input.required<BankClient>();
  readonly provider = input.required<string>();
  readonly detail = input<ProviderDetail>();
  readonly username = input<string>();
  readonly settings = input<LoginSettings>({});
  protected readonly view = injectLogin(this.client, () => ({
    provider: this.provider(),
    detail: this.detail(),
    username: this.username(),
    settings: this.settings(),
  }));
}
