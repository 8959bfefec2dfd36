import { type Accessor, createEffect, createMemo, For, type JSX, on, onMount, type ParentProps, Show } from "solid-js";
import { type FieldErrors, type FormField, type PictureView, type QuestionView, reveal } from "ventanilla";
import { type CredentialStep, focusFirstEmpty, type LoginStep, pasteCode, sendForm } from "../form.ts";

type At<State extends LoginStep["state"]> = Extract<LoginStep, { state: State }>;

/** The states of a login, alone or within a link flow: one exhaustive switch. The buttons to cancel are above them, where no form is. */
export function LoginSteps(props: { view: LoginStep }) {
  // A screen is built when it is first shown, and follows the view from then on: what was typed stays.
  const screen = createMemo(() => findScreen(props.view));
  const shown = createMemo(() => {
    switch (screen()) {
      case "credentials":
        return <Credentials view={props.view as CredentialStep} />;
      case "question":
        return <Question view={props.view as At<"submitting" | "awaitingInteraction">} />;
      case "clients":
        return <ClientList view={props.view as At<"selectClient">} />;
    }
  });
  return <>{shown()}</>;
}

/** The screen of a state. A form stays in its place during the request, so that nothing moves under the pointer. */
function findScreen(view: LoginStep): "credentials" | "question" | "clients" {
  switch (view.state) {
    case "idle":
    case "failed":
      return "credentials";
    case "submitting":
      return view.sent.question ? "question" : "credentials";
    case "awaitingInteraction":
      return "question";
    case "selectClient":
      return "clients";
    default:
      return view satisfies never;
  }
}

function Credentials(props: { view: CredentialStep }) {
  const form = () => (props.view.state === "submitting" ? props.view.sent.form : props.view.form);
  const narrow = () => ("narrow" in props.view ? props.view.narrow : undefined);
  const failed = () => (props.view.state === "failed" ? props.view : undefined);
  return (
    <>
      <Show when={failed()}>{(step) => <p role="alert">{step().failure.text}</p>}</Show>
      <Form submit={props.view.submit} verb="submit">
        <Rows each={form().fields} key={({ name }) => name}>
          {(field) => <Field field={field()} changed={narrow()} />}
        </Rows>
      </Form>
      <Show when={failed()?.replaceSession}>
        {(replaceSession) => <Verb name="replaceSession" run={replaceSession()} text="Close all my sessions" />}
      </Show>
    </>
  );
}

function Question(props: { view: At<"submitting" | "awaitingInteraction"> }) {
  const question = () => (props.view.state === "submitting" ? props.view.sent.question : props.view.question);
  return (
    <Form
      submit={props.view.answer}
      verb="answer"
      text={question()?.kind === "confirmation" ? "I have confirmed" : undefined}
      paste={(event) => pasteCode(event, props.view)}
    >
      <Show when={question()?.repeatText}>{(text) => <p role="alert">{text()}</p>}</Show>
      <p>{question()?.text}</p>
      <Show when={question()?.number} keyed>
        <Show when={findPicture(question())}>{(picture) => <Picture {...picture()} />}</Show>
        <Rows each={(question() as QuestionView).fields} key={({ name }) => name}>
          {(field) => <Field field={field()} />}
        </Rows>
      </Show>
    </Form>
  );
}

const findPicture = (question: QuestionView | undefined) =>
  question?.kind === "picture" ? question.picture : undefined;

/** A picture to read; opened it is larger. */
function Picture(props: PictureView) {
  return (
    <details class="picture">
      <summary>
        <img src={props.url} alt={props.alt} />
      </summary>
    </details>
  );
}

function ClientList(props: { view: At<"selectClient"> }) {
  return (
    <>
      <p>For whom?</p>
      <For each={props.view.clients}>
        {({ id, name }) => <Choice value={id} text={name} choose={props.view.choose} />}
      </For>
    </>
  );
}

function Form(
  props: ParentProps<{
    submit: ((values: FormData) => FieldErrors | undefined) | undefined;
    verb: string;
    text?: string | undefined;
    paste?: (event: ClipboardEvent) => void;
  }>,
) {
  const send = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    if (props.submit) sendForm(event.currentTarget, props.submit);
  };
  let form: HTMLFormElement | undefined;
  createEffect(
    on(
      () => !props.submit,
      (isSent) => isSent || focusFirstEmpty(form),
    ),
  );
  return (
    <form
      method="dialog"
      autocapitalize="none"
      autocorrect="off"
      spellcheck={false}
      onSubmit={send}
      onPaste={(event) => props.paste?.(event)}
      ref={form}
    >
      <fieldset disabled={!props.submit}>
        {props.children}
        <button type="submit" data-verb={props.verb}>
          {props.submit ? (props.text ?? "Continue") : "Talking to the bank…"}
        </button>
      </fieldset>
    </form>
  );
}

function Field(props: { field: FormField; changed?: ((field: string, value: string) => void) | undefined }) {
  // Set once, and in a list when its options are there: followed, it would overwrite what was typed.
  const { name, initial, prefill, input } = props.field;
  if (input === "hidden") return <input type="hidden" name={name} value={initial} />;
  return (
    <label>
      {props.field.label}
      <Show
        when={props.field.input === "select"}
        fallback={
          <input
            name={name}
            type={props.field.input}
            autocomplete={props.field.autocomplete}
            inputMode={props.field.inputMode}
            required={props.field.required}
            value={prefill ? reveal(prefill) : initial}
          />
        }
      >
        <select
          name={name}
          required={props.field.required}
          ref={(select) => onMount(() => (select.value = initial))}
          onChange={(event) => props.changed?.(name, event.currentTarget.value)}
        >
          <option value="" />
          <Rows each={props.field.choices} key={({ value }) => value}>
            {(choice) => <option value={choice().value}>{choice().label}</option>}
          </Rows>
        </select>
      </Show>
    </label>
  );
}

/** A list by key: each view brings new objects, and `For` alone would build the inputs again with them. */
function Rows<Item>(props: {
  each: readonly Item[];
  key(item: Item): string;
  children(item: Accessor<NonNullable<Item>>): JSX.Element;
}) {
  return (
    <For each={props.each.map(props.key)}>
      {(key) => <Show when={props.each.find((item) => props.key(item) === key)}>{(item) => props.children(item)}</Show>}
    </For>
  );
}

export function Choice(props: { value: string; text: string; choose(value: string): void }) {
  return (
    <button type="button" data-choice={props.value} onClick={() => props.choose(props.value)}>
      {props.text}
    </button>
  );
}

/** A button for a verb of the view. It is there in every step, disabled without the verb, so that no other button takes its place. */
export function Verb(props: { name: string; run: (() => void) | undefined; text: string }) {
  return (
    <button type="button" data-verb={props.name} disabled={!props.run} onClick={() => props.run?.()}>
      {props.text}
    </button>
  );
}
