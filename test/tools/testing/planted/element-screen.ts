import {
  createLinkMachine,
  createLoginMachine,
  type FormField,
  type LinkView,
  type LoginView,
  linkView,
  loginView,
} from "ventanilla";
import { createActor } from "xstate";
import type { Mistake } from "./mistakes.ts";
import type { ScreenInput } from "./react-screens.tsx";

type View = LoginView | LinkView;

/** A web component of a login or a link, with a mistake: nothing but the platform. */
class MistakenScreen extends HTMLElement {
  #last: View | undefined;

  draw(view: View): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const typed = new Map(
      [...root.querySelectorAll<HTMLInputElement>("form :is(input, select)")].map(({ name, value }) => [name, value]),
    );
    // What was typed stays while the same form is shown.
    const isSame = this.#last?.state === view.state;
    this.#last = view;
    const section = document.createElement("section");
    section.dataset["state"] = view.state;
    const verbs = { cancel: 0, changeProvider: 0, cancelLink: 0, retry: 0, replaceSession: 0 };
    for (const verb of Object.keys(verbs) as (keyof typeof verbs)[]) {
      const run = (view as Partial<Record<typeof verb, () => void>>)[verb];
      if (run) section.append(createButton(verb, run, { verb }));
    }
    for (const text of listTexts(view))
      section.append(Object.assign(document.createElement("p"), { textContent: text }));
    const choices =
      view.state === "choosingProvider"
        ? view.providers.map(({ code, name }) => createButton(name, () => view.choose(code), { choice: code }))
        : view.state === "selectClient"
          ? view.clients.map(({ id, name }) => createButton(name, () => view.choose(id), { choice: id }))
          : [];
    section.append(...choices);
    if ("form" in view) section.append(createForm(view.form.fields, "submit", (values) => view.submit(values)));
    else if ("question" in view) {
      section.append(createForm(view.question.fields, "answer", (values) => view.answer(values)));
    }
    for (const control of section.querySelectorAll<HTMLInputElement>("form :is(input, select)")) {
      if (isSame && control.type !== "hidden" && this.#isDrawnAgain(view))
        control.value = typed.get(control.name) ?? "";
      else if (isSame && "failure" in view && control.type !== "password")
        control.value = typed.get(control.name) ?? "";
      if (control.tagName === "SELECT" && "narrow" in view) {
        control.addEventListener("change", () => view.narrow?.(control.name, control.value));
      }
    }
    root.replaceChildren(section);
  }

  /** A form whose choices are narrowed. */
  #isDrawnAgain(view: View): boolean {
    return "narrow" in view && view.narrow !== undefined && view.state === "idle";
  }
}

const listTexts = (view: View): string[] => [
  ...("failure" in view ? [view.failure.text] : []),
  ...("question" in view ? [view.question.text, view.question.repeatText ?? ""] : []),
  String((view as { readonly note?: string }).note ?? ""),
];

function createButton(text: string, run: () => void, data: Readonly<Record<string, string>>): HTMLButtonElement {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick: run });
  Object.assign(button.dataset, data);
  return button as HTMLButtonElement;
}

function createForm(fields: readonly FormField[], verb: string, send: (values: FormData) => unknown): HTMLFormElement {
  const form = document.createElement("form");
  for (const { name, label, input, choices, initial } of fields) {
    const control = document.createElement(input === "select" ? "select" : "input");
    for (const { value, label } of input === "select" ? [{ value: "", label: "" }, ...choices] : []) {
      control.append(Object.assign(document.createElement("option"), { value, textContent: label }));
    }
    if (control instanceof HTMLInputElement) control.type = input;
    control.name = name;
    control.value = initial;
    const labelled = document.createElement("label");
    // A library of templates has its marks between the texts.
    labelled.append(document.createComment("a mark"), ...(input === "hidden" ? [] : [label]), control);
    form.append(labelled);
  }
  form.append(createButton(verb, () => send(new FormData(form)), { verb }));
  return form;
}

/** Shows a web component with a mistake, and returns how to remove it. */
export function showElement(root: Element, input: ScreenInput, mistake: Mistake): () => void {
  if (!customElements.get("mistaken-screen")) customElements.define("mistaken-screen", MistakenScreen);
  const element = document.createElement("mistaken-screen") as MistakenScreen;
  root.append(element);
  const open = input.flow === "link" ? openLink : openLogin;
  return open(input, (view) => element.draw(mistake(view)));
}

function openLogin({ client, provider, detail, settings }: ScreenInput, draw: (view: View) => void): () => void {
  const actor = createActor(createLoginMachine(client), { input: settings });
  actor.subscribe((snapshot) => draw(loginView(snapshot, actor, { provider, detail })));
  actor.start();
  return () => actor.stop();
}

function openLink({ client, settings }: ScreenInput, draw: (view: View) => void): () => void {
  const actor = createActor(createLinkMachine(client), { input: settings });
  actor.subscribe((snapshot) => draw(linkView(snapshot, actor)));
  actor.start();
  return () => actor.stop();
}
