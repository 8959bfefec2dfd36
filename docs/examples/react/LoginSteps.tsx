import { type FormEvent, type ReactNode, useId } from "react";
import type { FormField, FormValues, LinkView, LoginForm, LoginView } from "ventanilla";

type FormStep = Extract<LinkView | LoginView, { form: LoginForm }>;

/** The steps of a login, alone or within a link flow: one exhaustive switch. */
export function LoginSteps({ view }: { view: Exclude<LoginView, { step: "loggedIn" }> }) {
  switch (view.step) {
    case "enteringCredentials":
      return <CredentialForm view={view} />;
    case "failed":
      return (
        <>
          <p role="alert">{view.failure.text}</p>
          {view.replaceSession && (
            <Verb name="replaceSession" run={view.replaceSession} text="Close the other session" />
          )}
          <CredentialForm view={view} />
          <Verb name="cancel" run={view.cancel} text="Cancel" />
        </>
      );
    case "answering":
      return (
        <Form submit={({ answer = "" }) => view.answer(answer)} verb="answer">
          {view.question.isRepeat && <p role="alert">{view.question.repeatText}</p>}
          <p>{view.question.text}</p>
          <Field key={view.question.number} field={{ ...view.question.field, name: "answer" }} />
          <Verb name="cancel" run={view.cancel} text="Cancel" />
        </Form>
      );
    case "choosingClient":
      return (
        <>
          <p>For whom?</p>
          {view.clients.map(({ id, name }) => (
            <Choice key={id} value={id} text={name} choose={view.choose} />
          ))}
          <Verb name="cancel" run={view.cancel} text="Cancel" />
        </>
      );
    case "clientRequired":
      return <Notice text="This user stands for several clients, which is not supported here." cancel={view.cancel} />;
    case "submitting":
    case "listingClients":
    case "selectingClient":
    case "replacingSession":
      return <Notice text="Talking to the bank…" cancel={view.cancel} />;
    default:
      return view satisfies never;
  }
}

function CredentialForm({ view }: { view: FormStep }) {
  const narrow = "narrow" in view ? view.narrow : undefined;
  return (
    <Form submit={view.submit} verb="submit">
      {view.form.fields.map((field) => (
        <Field key={field.name} field={field} changed={field.input === "select" ? narrow : undefined} />
      ))}
    </Form>
  );
}

/** A form that keeps its keystrokes: nobody else sees them before they are submitted. */
function Form({ submit, verb, children }: { submit(values: FormValues): void; verb: string; children: ReactNode }) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    submit(Object.fromEntries(new FormData(event.currentTarget)) as FormValues);
  };
  return (
    // Before the script is there a browser would put what is typed into the address; a dialog sends nothing.
    <form method="dialog" onSubmit={send}>
      {children}
      <button type="submit" data-verb={verb}>
        Continue
      </button>
    </form>
  );
}

function Field({
  field,
  changed,
}: {
  field: FormField;
  changed?: ((field: string, value: string) => void) | undefined;
}) {
  const { name, label, input, autocomplete, inputMode, required, choices, initial } = field;
  const id = useId();
  return (
    <label htmlFor={id}>
      {label}
      {input === "select" ? (
        <select
          id={id}
          name={name}
          required={required}
          defaultValue={initial}
          onChange={(event) => changed?.(name, event.target.value)}
        >
          <option value="" />
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={name}
          type={input}
          autoComplete={autocomplete}
          inputMode={inputMode}
          required={required}
          defaultValue={initial}
        />
      )}
    </label>
  );
}

export function Choice({ value, text, choose }: { value: string; text: string; choose(value: string): void }) {
  return (
    <button type="button" data-choice={value} onClick={() => choose(value)}>
      {text}
    </button>
  );
}

export function Verb({ name, run, text }: { name: string; run(): void; text: string }) {
  return (
    <button type="button" data-verb={name} onClick={run}>
      {text}
    </button>
  );
}

function Notice({ text, cancel }: { text: string; cancel(): void }) {
  return (
    <>
      <p role="status">{text}</p>
      <Verb name="cancel" run={cancel} text="Cancel" />
    </>
  );
}
