import { type Accessor, createMemo, For, type JSX, onMount, type ParentProps, Show } from "solid-js";
import type { FormField, FormValues, LinkView, LoginForm, LoginView } from "ventanilla";

type FormStep = Extract<LinkView | LoginView, { form: LoginForm }>;

type Login = Exclude<LoginView, { step: "loggedIn" }>;
type At<Step extends Login["step"]> = Extract<Login, { step: Step }>;

/** The steps of a login, alone or within a link flow: one exhaustive switch. */
export function LoginSteps(props: { view: Login }) {
  // What a step shows is built when the step begins, and follows the view from then on: what was typed stays.
  const step = createMemo(() => props.view.step);
  const at = <Step extends Login["step"]>(_: Step) => props.view as At<Step>;
  const shown = createMemo(() => {
    const now = step();
    switch (now) {
      case "enteringCredentials":
        return <CredentialForm view={at(now)} />;
      case "failed":
        return <Failed view={at(now)} />;
      case "answering":
        return <Question view={at(now)} />;
      case "choosingClient":
        return <ClientList view={at(now)} />;
      case "clientRequired":
        return (
          <Notice text="This user stands for several clients, which is not supported here." cancel={at(now).cancel} />
        );
      case "submitting":
      case "listingClients":
      case "selectingClient":
      case "replacingSession":
        return <Notice text="Talking to the bank…" cancel={at(now).cancel} />;
      default:
        return now satisfies never;
    }
  });
  return <>{shown()}</>;
}

function Failed(props: { view: At<"failed"> }) {
  return (
    <>
      <p role="alert">{props.view.failure.text}</p>
      <Verb name="replaceSession" run={props.view.replaceSession} text="Close the other session" />
      <CredentialForm view={props.view} />
      <Verb name="cancel" run={props.view.cancel} text="Cancel" />
    </>
  );
}

function Question(props: { view: At<"answering"> }) {
  return (
    <Form submit={({ answer = "" }) => props.view.answer(answer)} verb="answer">
      <Show when={props.view.question.repeatText}>{(text) => <p role="alert">{text()}</p>}</Show>
      <p>{props.view.question.text}</p>
      <Show when={props.view.question.number} keyed>
        <Field field={{ ...props.view.question.field, name: "answer" }} />
      </Show>
      <Verb name="cancel" run={props.view.cancel} text="Cancel" />
    </Form>
  );
}

function ClientList(props: { view: At<"choosingClient"> }) {
  return (
    <>
      <p>For whom?</p>
      <For each={props.view.clients}>
        {({ id, name }) => <Choice value={id} text={name} choose={props.view.choose} />}
      </For>
      <Verb name="cancel" run={props.view.cancel} text="Cancel" />
    </>
  );
}

function CredentialForm(props: { view: FormStep }) {
  const narrow = () => ("narrow" in props.view ? props.view.narrow : undefined);
  return (
    <Form submit={(values) => props.view.submit(values)} verb="submit">
      <Rows each={props.view.form.fields} key={({ name }) => name}>
        {(field) => <Field field={field()} changed={narrow()} />}
      </Rows>
    </Form>
  );
}

/** A form that keeps its keystrokes: nobody else sees them before they are submitted. */
function Form(props: ParentProps<{ submit(values: FormValues): void; verb: string }>) {
  const send = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    props.submit(Object.fromEntries(new FormData(event.currentTarget)) as FormValues);
  };
  return (
    <form method="dialog" onSubmit={send}>
      {props.children}
      <button type="submit" data-verb={props.verb}>
        Continue
      </button>
    </form>
  );
}

function Field(props: { field: FormField; changed?: ((field: string, value: string) => void) | undefined }) {
  // Set once, and in a list when its options are there: followed, it would overwrite what was typed.
  const { name, initial } = props.field;
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
            value={initial}
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

/** A list by key: each view brings new objects, and `For` alone would build the inputs anew with them. */
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

/** A button for what the view can do now; none for what it can't. */
export function Verb(props: { name: string; run: (() => void) | undefined; text: string }) {
  return (
    <Show when={props.run}>
      {(run) => (
        <button type="button" data-verb={props.name} onClick={() => run()()}>
          {props.text}
        </button>
      )}
    </Show>
  );
}

function Notice(props: { text: string; cancel(): void }) {
  return (
    <>
      <p role="status">{props.text}</p>
      <Verb name="cancel" run={props.cancel} text="Cancel" />
    </>
  );
}
