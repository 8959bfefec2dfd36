import { useState } from "react";
import type { BankClient, LinkSettings, LinkView } from "ventanilla";
import { useLink } from "ventanilla/react";
import { Choice, LoginSteps, Verb } from "./LoginSteps";

interface LinkScreenProps {
  client: BankClient;
  username?: string | undefined;
  settings?: LinkSettings;
}

/** From "which bank?" to where its session can transfer to. */
export function LinkScreen({ client, username, settings = {} }: LinkScreenProps) {
  const view = useLink(client, { username, settings });
  return (
    <section data-state={view.state} aria-busy={view.busy}>
      <header>
        <Verb name="changeProvider" run={view.changeProvider} text="Another bank" />
        <Verb name="cancel" run={view.cancel} text="Cancel" />
        <Verb name="cancelLink" run={view.cancelLink} text="Close" />
      </header>
      <Step view={view} />
    </section>
  );
}

function Step({ view }: { view: LinkView }) {
  switch (view.state) {
    case "loadingProviders":
    case "loadingFields":
    case "loadingDestinations":
      return <p role="status">One moment…</p>;
    case "choosingProvider":
      return <ProviderList view={view} />;
    case "linkFailed":
      return (
        <>
          <p role="alert">{view.failure.text}</p>
          <Verb name="retry" run={view.retry} text="Try again" />
        </>
      );
    case "linked":
      return (
        <ul>
          {view.destinations.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      );
    case "cancelled":
      return <p>Until next time.</p>;
    default:
      return (
        <>
          <h2>{view.bank.name}</h2>
          <LoginSteps view={view} />
        </>
      );
  }
}

function ProviderList({ view }: { view: Extract<LinkView, { state: "choosingProvider" }> }) {
  const [text, setText] = useState("");
  const [country, setCountry] = useState("");
  return (
    <>
      <label>
        Bank
        <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <label>
        Country
        <select value={country} onChange={(event) => setCountry(event.target.value)}>
          <option value="">All</option>
          {view.countries.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </select>
      </label>
      {view.search({ text, country }).map(({ code, name }) => (
        <Choice key={code} value={code} text={name} choose={view.choose} />
      ))}
    </>
  );
}
