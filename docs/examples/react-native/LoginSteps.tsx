import { Image, Text } from "react-native";
import type { FieldErrors, FormValues, LinkView, LoginForm, LoginView, QuestionView, SentForm } from "ventanilla";
import { Alert, Choice, styles, Verb } from "./controls";
import { Form } from "./Form";

type LoginStep = Exclude<LoginView, { state: "loggedIn" }>;
type CredentialStep = Extract<LinkView | LoginStep, { form: LoginForm } | { sent: SentForm }>;

/** The states of a login: one exhaustive switch. */
export function LoginSteps({ view }: { view: LoginStep }) {
  switch (view.state) {
    case "idle":
    case "failed":
      return <Credentials view={view} />;
    case "submitting":
      return view.sent.question ? <Question question={view.sent.question} /> : <Credentials view={view} />;
    case "awaitingInteraction":
      return <Question question={view.question} answer={view.answer} readPaste={view.readPaste} />;
    case "selectClient":
      return (
        <>
          <Text>For whom?</Text>
          {view.clients.map(({ id, name }) => (
            <Choice key={id} value={id} text={name} choose={view.choose} />
          ))}
        </>
      );
    default:
      return view satisfies never;
  }
}

function Credentials({ view }: { view: CredentialStep }) {
  const { form } = view.state === "submitting" ? view.sent : view;
  return (
    <>
      {view.state === "failed" && <Alert text={view.failure.text} />}
      <Form
        fields={form.fields}
        submit={view.submit}
        narrow={"narrow" in view ? view.narrow : undefined}
        verb="submit"
      />
      {view.state === "failed" && view.replaceSession && (
        <Verb name="replaceSession" run={view.replaceSession} text="Close all my sessions" />
      )}
    </>
  );
}

function Question({
  question,
  answer,
  readPaste,
}: {
  question: QuestionView;
  answer?: (values: FormValues) => FieldErrors | undefined;
  readPaste?: (field: string, text: string) => string;
}) {
  const { kind, text, fields, number, isRepeat, repeatText } = question;
  return (
    <>
      {isRepeat && <Alert text={repeatText ?? ""} />}
      <Text>{text}</Text>
      {kind === "picture" && question.picture && (
        <Image
          source={{ uri: question.picture.url }}
          accessibilityLabel={question.picture.alt}
          resizeMode="contain"
          style={styles.picture}
        />
      )}
      <Form
        key={number}
        fields={fields}
        submit={answer}
        readPaste={readPaste}
        verb="answer"
        text={kind === "confirmation" ? "I have confirmed" : undefined}
      />
    </>
  );
}
