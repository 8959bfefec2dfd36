import { type FormEvent, useState } from "react";
import { type BankClient, type FieldErrors, reveal } from "ventanilla";
import { useLogin } from "ventanilla/react";

interface SmallLoginProps {
  client: BankClient;
  provider: string;
  /** Of a person who logs in again. */
  username?: string | undefined;
}

export function SmallLogin({ client, provider, username }: SmallLoginProps) {
  const view = useLogin(client, { provider, username });
  const [errors, setErrors] = useState<FieldErrors>();
  // What was sent stays while the bank is asked, so the user name and the focus do too.
  const shown = view.state === "submitting" ? view.sent : view;
  const question = "question" in shown ? shown.question : undefined;
  const fields = question?.fields ?? ("form" in shown ? shown.form.fields : []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const send = view.answer ?? view.submit;
    if (!send) return;
    setErrors(send(new FormData(event.currentTarget)));
    for (const input of event.currentTarget.querySelectorAll("input"))
      if (input.type === "password" || question) input.value = "";
  };
  if (view.state === "loggedIn") return <p>You are logged in.</p>;
  return (
    <form
      method="dialog"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      onSubmit={submit}
      aria-busy={view.busy}
    >
      {view.busy && <p role="status">Talking to the bank…</p>}
      {errors && <p role="alert">{Object.values(errors).join(" ")}</p>}
      {view.state === "failed" && <p role="alert">{view.failure.text}</p>}
      {question?.repeatText && <p role="alert">{question.repeatText}</p>}
      {question && <p>{question.text}</p>}
      {question?.kind === "picture" && question.picture && (
        <img src={question.picture.url} alt={question.picture.alt} />
      )}
      {fields.map(({ name, label, input, required, initial, prefill }) => (
        <input
          key={name}
          name={name}
          type={input}
          aria-label={label}
          placeholder={label}
          defaultValue={prefill ? reveal(prefill) : initial}
          required={required}
        />
      ))}
      {fields.length > 0 && <button type="submit">Continue</button>}
    </form>
  );
}
