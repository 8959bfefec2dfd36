import { createRoot } from "react-dom/client";
import type { BankClient, LinkSettings, LinkView, LoginView, ProviderDetail } from "ventanilla";
import { useLink, useLogin } from "ventanilla/react";
import { LinkScreen } from "../../../../docs/examples/react/LinkScreen.tsx";
import { LoginScreen } from "../../../../docs/examples/react/LoginScreen.tsx";
import { LoginSteps } from "../../../../docs/examples/react/LoginSteps.tsx";
import type { Mistake } from "./mistakes.ts";

/** What a screen is created with. */
export interface ScreenInput {
  readonly flow: "login" | "link";
  readonly client: BankClient;
  readonly provider: string;
  readonly detail: ProviderDetail | undefined;
  readonly settings: LinkSettings;
}

type View = LoginView | LinkView;

/** Shows the example of React, and returns how to remove it. */
export function showExample(root: Element, { flow, ...shown }: ScreenInput): () => void {
  const screen = createRoot(root);
  screen.render(flow === "link" ? <LinkScreen {...shown} /> : <LoginScreen {...shown} />);
  return () => screen.unmount();
}

/** Shows a screen of React with a mistake. */
export function showReact(root: Element, { flow, ...shown }: ScreenInput, mistake: Mistake): () => void {
  const Login = () => <Screen view={mistake(useLogin(shown.client, shown))} />;
  const Link = () => <Screen view={mistake(useLink(shown.client, { settings: shown.settings }))} />;
  const screen = createRoot(root);
  screen.render(flow === "link" ? <Link /> : <Login />);
  return () => screen.unmount();
}

function Screen({ view }: { view: View }) {
  return (
    <section data-state={view.state}>
      {(["cancel", "changeProvider", "cancelLink", "retry"] as const).map((verb) => {
        const run = (view as Partial<Record<typeof verb, () => void>>)[verb];
        return (
          <button key={verb} type="button" data-verb={verb} disabled={!run} onClick={run}>
            {verb}
          </button>
        );
      })}
      <p>{(view as { readonly note?: string }).note}</p>
      <Step view={view} />
    </section>
  );
}

function Step({ view }: { view: View }) {
  switch (view.state) {
    case "choosingProvider":
      return view.providers.map(({ code, name }) => (
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
      return <p>{view.state}</p>;
    default:
      return <LoginSteps view={view} />;
  }
}
