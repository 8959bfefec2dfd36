import { type ClipboardEventHandler, type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { type FieldErrors, type FormField, type PictureView, type QuestionView, reveal } from "ventanilla";
import { type CredentialStep, focusFirstEmpty, type LoginStep, pasteCode, sendForm } from "../form";

/** The states of a login, alone or within a link flow: one exhaustive switch. The buttons to cancel are above them, where no form is. */
export function LoginSteps({ view }: { view: LoginStep }) {
  switch (view.state) {
    case "idle":
    case "failed":
      return <Credentials view={view} />;
    case "submitting":
      return view.sent.question ? <Question question={view.sent.question} view={view} /> : <Credentials view={view} />;
    case "awaitingInteraction":
      return <Question question={view.question} view={view} />;
    case "selectClient":
      return (
        <>
          <p>For whom?</p>
          {view.clients.map(({ id, name }) => (
            <Choice key={id} value={id} text={name} choose={view.choose} />
          ))}
        </>
      );
    default:
      return view satisfies never;
  }
}

/** The form of the login. It stays in its place during the request, so that nothing moves under the pointer. */
function Credentials({ view }: { view: CredentialStep }) {
  const { form } = view.state === "submitting" ? view.sent : view;
  const narrow = "narrow" in view ? view.narrow : undefined;
  return (
    <>
      {view.state === "failed" && <p role="alert">{view.failure.text}</p>}
      <Form submit={view.submit} verb="submit">
        {form.fields.map((field) => (
          <Field key={field.name} field={field} changed={field.input === "select" ? narrow : undefined} />
        ))}
      </Form>
      {view.state === "failed" && view.replaceSession && (
        <Verb name="replaceSession" run={view.replaceSession} text="Close all my sessions" />
      )}
    </>
  );
}

function Question({ question, view }: { question: QuestionView; view: LoginStep }) {
  return (
    <Form
      submit={view.answer}
      verb="answer"
      text={question.kind === "confirmation" ? "I have confirmed" : undefined}
      paste={({ nativeEvent }) => pasteCode(nativeEvent, view)}
    >
      {question.isRepeat && <p role="alert">{question.repeatText}</p>}
      <p>{question.text}</p>
      {question.kind === "picture" && question.picture && (
        <Picture key={`${question.number} picture`} {...question.picture} />
      )}
      {question.fields.map((field) => (
        <Field key={`${question.number} ${field.name}`} field={field} />
      ))}
    </Form>
  );
}

/** A picture to read; opened it is larger. */
function Picture({ url, alt }: PictureView) {
  return (
    <details className="picture">
      <summary>
        <img src={url} alt={alt} />
      </summary>
    </details>
  );
}

type Send = (values: FormData) => FieldErrors | undefined;

interface FormProps {
  /** Without it the form is disabled: its request is under way. */
  submit: Send | undefined;
  verb: string;
  text?: string | undefined;
  paste?: ClipboardEventHandler;
  children: ReactNode;
}

function Form({ submit, verb, text = "Continue", paste, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isSent = !submit;
  useEffect(() => {
    if (!isSent) focusFirstEmpty(form.current);
  }, [isSent]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (submit) sendForm(event.currentTarget, submit);
  };
  return (
    // Before the script is there a browser would put what is typed into the address; a dialog sends nothing.
    <form
      method="dialog"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      onSubmit={send}
      onPaste={paste}
      ref={form}
    >
      <fieldset disabled={!submit}>
        {children}
        <button type="submit" data-verb={verb}>
          {submit ? text : "Talking to the bank…"}
        </button>
      </fieldset>
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
  const { name, label, input, autocomplete, inputMode, required, choices, initial, prefill } = field;
  const id = useId();
  if (input === "hidden") return <input type="hidden" name={name} defaultValue={initial} />;
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
          defaultValue={prefill ? reveal(prefill) : initial}
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

/** A button for a verb of the view. It is there in every step, disabled without the verb, so that no other button takes its place. */
export function Verb({ name, run, text }: { name: string; run: (() => void) | undefined; text: string }) {
  return (
    <button type="button" data-verb={name} disabled={!run} onClick={run}>
      {text}
    </button>
  );
}
