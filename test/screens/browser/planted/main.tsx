import { useRef } from "react";
import { createRoot } from "react-dom/client";
import type { BankClient, FormValues, LinkSettings, LinkView, LoginView, ProviderDetail } from "ventanilla";
import { useLink, useLogin } from "ventanilla/react";
import { LoginSteps } from "../../../../docs/examples/react/LoginSteps.tsx";
import { serveScreens } from "../harness.ts";

// Screens with one mistake each, named by the query: the test kit has to find it.
const mistake = location.search.slice(1);

interface ScreenProps {
  client: BankClient;
  provider: string;
  detail: ProviderDetail | undefined;
  settings: LinkSettings;
}

/** The view as a screen with the mistake has it. */
function useMistake<View extends LoginView | LinkView>(view: View): View {
  const firstAnswer = useRef<string>(undefined);
  if (mistake === "stale-answer" && view.step === "answering") {
    const answer = (answer: string | FormValues | FormData) => {
      const [text = ""] = answer instanceof FormData ? answer.values() : Object.values(answer);
      firstAnswer.current ??= String(text);
      return view.answer(firstAnswer.current);
    };
    return { ...view, answer };
  }
  if (mistake === "index" && view.step === "choosingClient") {
    return {
      ...view,
      choose: (id: string) => view.choose(String(view.clients.findIndex((client) => client.id === id))),
    };
  }
  if (mistake === "cancel" && "cancel" in view) return { ...view, cancel: () => {} };
  return view;
}

function Screen({ view: right }: { view: LoginView | LinkView }) {
  const view = useMistake(right);
  const failure = useRef("");
  if ("failure" in view) failure.current = view.failure.text;
  return (
    <section data-step={view.step}>
      {mistake === "stale-failure" && <p role="alert">{failure.current}</p>}
      {(["cancel", "changeProvider", "cancelLink", "retry"] as const).map((verb) => {
        const run = (view as Partial<Record<typeof verb, () => void>>)[verb];
        return (
          <button key={verb} type="button" data-verb={verb} disabled={!run} onClick={run}>
            {verb}
          </button>
        );
      })}
      <Step view={view} />
    </section>
  );
}

function Step({ view }: { view: LoginView | LinkView }) {
  switch (view.step) {
    case "choosingProvider":
      return view.search({}).map(({ code, name }) => (
        <button key={code} type="button" data-choice={code} onClick={() => view.choose(code)}>
          {name}
        </button>
      ));
    case "linkFailed":
      return <p>{view.failure.text}</p>;
    case "loadingProviders":
    case "loadingFields":
    case "loadingDestinations":
    case "linked":
    case "loggedIn":
    case "cancelled":
      return <p>{view.step}</p>;
    default:
      return <LoginSteps view={view} />;
  }
}

function LoginScreen({ client, provider, detail, settings }: ScreenProps) {
  return <Screen view={useLogin(client, { provider, detail, settings })} />;
}

function LinkScreen({ client, settings }: ScreenProps) {
  return <Screen view={useLink(client, { settings })} />;
}

serveScreens((root, { flow, ...shown }) => {
  const screen = createRoot(root);
  screen.render(flow === "link" ? <LinkScreen {...shown} /> : <LoginScreen {...shown} />);
  return () => {
    screen.unmount();
    root.remove();
  };
});
