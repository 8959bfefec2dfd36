import type { FormEvent } from "react";
import type { BankClient, FormValues } from "ventanilla";
import { useLogin } from "ventanilla/react";

export function SmallLogin({ client, provider }: { client: BankClient; provider: string }) {
  const view = useLogin(client, { provider });
  const fields = view.step === "answering" ? [view.question.field] : "form" in view ? view.form.fields : [];
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget)) as FormValues;
    event.currentTarget.reset();
    if (view.step === "answering") view.answer(values[view.question.field.name] ?? "");
    else if ("form" in view) view.submit(values);
  };
  if (view.step === "loggedIn") return <p>You are logged in.</p>;
  return (
    <form method="dialog" onSubmit={send} aria-busy={view.busy}>
      {view.step === "failed" && <p role="alert">{view.failure.text}</p>}
      {view.step === "answering" && view.question.isRepeat && <p role="alert">{view.question.repeatText}</p>}
      {view.step === "answering" && <p>{view.question.text}</p>}
      {fields.map(({ name, label, input }) => (
        <input key={name} name={name} type={input} aria-label={label} placeholder={label} required />
      ))}
      {fields.length > 0 && <button type="submit">Continue</button>}
    </form>
  );
}
