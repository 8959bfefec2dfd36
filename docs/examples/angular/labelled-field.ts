import { Component, computed, input, output } from "@angular/core";
import { type FormField, reveal } from "ventanilla";

/**
 * What is typed in stays in the page: `ngModel` would hold a password in the component, and `[value]` would undo what was typed
 * when the field's first value changes. The attribute is the first value only.
 */
@Component({
  selector: "labelled-field",
  template: `
    @let shown = field();
    @if (shown.input === "hidden") {
      <input type="hidden" [name]="shown.name" [attr.value]="shown.initial" />
    } @else {
      <label>
        {{ shown.label }}
        @if (shown.input === "select") {
          <select #list [name]="shown.name" [required]="shown.required" (change)="chosen.emit(list.value)">
            <option value=""></option>
            @for (choice of shown.choices; track choice.value) {
              <option [value]="choice.value" [attr.selected]="choice.value === shown.initial ? '' : null">
                {{ choice.label }}
              </option>
            }
          </select>
        } @else {
          <input
            [name]="shown.name"
            [type]="shown.input"
            [attr.autocomplete]="shown.autocomplete"
            [attr.inputmode]="shown.inputMode"
            [required]="shown.required"
            [attr.value]="initial()"
          />
        }
      </label>
    }
  `,
  host: { style: "display: contents" },
})
export class LabelledField {
  readonly field = input.required<FormField>();
  readonly chosen = output<string>();
  protected readonly initial = computed(() => {
    const { prefill, initial } = this.field();
    return prefill ? reveal(prefill) : initial;
  });
}
