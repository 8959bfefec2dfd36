import { Component, computed, input, signal } from "@angular/core";
import type { LinkView } from "ventanilla";

/** The choice of a bank. */
@Component({
  selector: "provider-list",
  template: `
    <label>
      Bank
      <input #typed type="search" (input)="text.set(typed.value)" />
    </label>
    <label>
      Country
      <select #list (change)="country.set(list.value)">
        <option value="">All</option>
        @for (code of view().countries; track code) {
          <option>{{ code }}</option>
        }
      </select>
    </label>
    @for (bank of found(); track bank.code) {
      <button type="button" [attr.data-choice]="bank.code" (click)="view().choose(bank.code)">{{ bank.name }}</button>
    }
  `,
  host: { style: "display: contents" },
})
export class ProviderList {
  readonly view = input.required<Extract<LinkView, { state: "choosingProvider" }>>();
  protected readonly text = signal("");
  protected readonly country = signal("");
  protected readonly found = computed(() => this.view().search({ text: this.text(), country: this.country() }));
}
