import type { FormField, FormValues } from "../../core/login/form-fields.ts";
import type { LinkView } from "../../core/view/link-view.ts";
import type { LoginView } from "../../core/view/login-view.ts";
import type { LinkDriver } from "./screen-driver.ts";

/** The fields of a view that a screen shows. */
export function listShownFields(view: LoginView | LinkView): readonly FormField[] {
  const fields = "form" in view ? view.form.fields : "question" in view ? view.question.fields : [];
  return fields.filter(({ input }) => input !== "hidden");
}

/**
 * A driver without a screen: it calls the verbs of the view, and keeps typed values as a form does. For trying a path in a
 * plain script, and as a pattern for your own driver.
 *
 * @param look returns the current view.
 * @throws {Error} from a verb that the view does not offer.
 * @example
 * const driver = viewDriver(() => loginView(actor.getSnapshot(), actor, { provider, detail }));
 */
export function viewDriver(look: () => LoginView | LinkView): LinkDriver {
  let typed: FormValues = {};

  const act = (verb: string, ...values: unknown[]) => {
    const view = look();
    const does: unknown = (view as unknown as Readonly<Record<string, unknown>>)[verb];
    if (typeof does !== "function") throw new Error(`"${view.state}" offers no "${verb}"`);
    does(...values);
  };

  const readForm = () => {
    const view = look();
    if (!("form" in view)) throw new Error(`"${view.state}" has no form`);
    return view;
  };

  return {
    choose(value) {
      typed = {};
      act("choose", value);
    },
    fill(values) {
      typed = { ...typed, ...values };
      for (const [name, value] of Object.entries(values)) {
        const view = readForm();
        const field = view.form.fields.find((field) => field.name === name);
        if (field?.input === "select" && "narrow" in view) view.narrow?.(name, value);
      }
    },
    submit() {
      const view = readForm();
      const initial = Object.fromEntries(view.form.fields.map((field) => [field.name, field.initial]));
      view.submit({ ...initial, ...typed });
      typed = {};
    },
    answer: (answer) => act("answer", answer),
    cancel: () => act("cancel"),
    replaceSession: () => act("replaceSession"),
    retry: () => act("retry"),
    changeProvider: () => act("changeProvider"),
    cancelLink: () => act("cancelLink"),
    currentState: () => look().state,
    currentText() {
      const view = look();
      if ("failure" in view) return view.failure.text;
      if ("clients" in view) return view.clients.map(({ name }) => name).join();
      return "question" in view ? view.question.text : "";
    },
    currentFields: () =>
      Object.fromEntries(listShownFields(look()).map(({ name, initial }) => [name, typed[name] ?? initial])),
  };
}
