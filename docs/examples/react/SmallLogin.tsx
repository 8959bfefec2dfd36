import { type FormEvent, useRef, useState } from "react";
import { type BankClient, type FieldErrors, type FormField, reveal } from "ventanilla";
import { useLogin } from "ventanilla/react";

interface SmallLoginProps {
  client: BankClient;
  provider: string;
  /** Of a person who logs in again. */
  username?: string | undefined;
}

export function SmallLogin({ client, provider, username }: SmallLoginProps) {
  const view = useLogin(client, { provider, username });
  // The fields stay while the bank is asked, so the user name and the focus do too.
  const fields = useRef<readonly FormField[]>([]);
  const [errors, setErrors] = useState<FieldErrors>();
  if (view.step === "answering") fields.current = view.question.fields;
  else if ("form" in view) fields.current = view.form.fields;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (view.busy) return;
    const values = new FormData(event.currentTarget);
    if (view.step === "answering") setErrors(view.answer(values));
    else if ("form" in view) setErrors(view.submit(values));
    for (const input of event.currentTarget.querySelectorAll("input"))
      if (input.type === "password" || view.step === "answering") input.value = "";
  };
  if (view.step === "loggedIn") return <p>You are logged in.</p>;
  return (
    <form
      method="dialog"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      onSubmit={send}
      aria-busy={view.busy}
    >
      {view.busy && <p role="status">Talking to the bank…</p>}
      {errors && <p role="alert">{Object.values(errors).join(" ")}</p>}
      {view.step === "failed" && <p role="alert">{view.failure.text}</p>}
      {view.step === "answering" && view.question.isRepeat && <p role="alert">{view.question.repeatText}</p>}
      {view.step === "answering" && <p>{view.question.text}</p>}
      {view.step === "answering" && view.question.kind === "picture" && view.question.picture && (
        <img src={view.question.picture.url} alt={view.question.picture.alt} />
      )}
      {fields.current.map(({ name, label, input, required, initial, prefill }) => (
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
      {fields.current.length > 0 && <button type="submit">Continue</button>}
    </form>
  );
}
