import { createMemo, createSignal, For } from "solid-js";
import type { BankClient, LinkSettings, LinkView } from "ventanilla";
import { useLink } from "ventanilla/solid";
import { Choice, LoginSteps, Verb } from "./LoginSteps.tsx";

interface LinkScreenProps {
  client: BankClient;
  username?: string | undefined;
  settings?: LinkSettings;
}

/** From "which bank?" to where its session can transfer to. */
export function LinkScreen(props: LinkScreenProps) {
  const view = useLink(props.client, props);
  return (
    <section data-state={view().state} aria-busy={view().busy}>
      <header>
        <Verb name="changeProvider" run={view().changeProvider} text="Another bank" />
        <Verb name="cancel" run={view().cancel} text="Cancel" />
        <Verb name="cancelLink" run={view().cancelLink} text="Close" />
      </header>
      <Step view={view()} />
    </section>
  );
}

function Step(props: { view: LinkView }) {
  // What a state shows is built when the state begins, and follows the view from then on; the states of a login share one screen.
  const step = createMemo(() => (isLogin(props.view) ? "login" : props.view.state));
  const at = <State extends LinkView["state"]>(_: State) => props.view as Extract<LinkView, { state: State }>;
  const login = () => props.view as LoginStep;
  const shown = createMemo(() => {
    const now = step();
    switch (now) {
      case "loadingProviders":
      case "loadingFields":
      case "loadingDestinations":
        return <p role="status">One moment…</p>;
      case "choosingProvider":
        return <ProviderList view={at(now)} />;
      case "linkFailed":
        return (
          <>
            <p role="alert">{at(now).failure.text}</p>
            <Verb name="retry" run={at(now).retry} text="Try again" />
          </>
        );
      case "linked":
        return (
          <ul>
            <For each={at(now).destinations}>{({ name }) => <li>{name}</li>}</For>
          </ul>
        );
      case "cancelled":
        return <p>Until next time.</p>;
      default:
        return (
          <>
            <h2>{login().bank.name}</h2>
            <LoginSteps view={login()} />
          </>
        );
    }
  });
  return <>{shown()}</>;
}

type LoginStep = Extract<LinkView, { form: unknown } | { cancel(): void }>;

const isLogin = (view: LinkView): view is LoginStep => "form" in view || "cancel" in view;

function ProviderList(props: { view: Extract<LinkView, { state: "choosingProvider" }> }) {
  const [text, setText] = createSignal("");
  const [country, setCountry] = createSignal("");
  return (
    <>
      <label>
        Bank
        <input type="search" value={text()} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <label>
        Country
        <select value={country()} onChange={(event) => setCountry(event.currentTarget.value)}>
          <option value="">All</option>
          <For each={props.view.countries}>{(code) => <option>{code}</option>}</For>
        </select>
      </label>
      <For each={props.view.search({ text: text(), country: country() })}>
        {({ code, name }) => <Choice value={code} text={name} choose={props.view.choose} />}
      </For>
    </>
  );
}
