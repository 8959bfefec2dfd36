import type { BankClient, LoginSettings, ProviderDetail } from "ventanilla";
import { useLogin } from "ventanilla/react";
import { LoginSteps, Verb } from "./LoginSteps";

interface LoginScreenProps {
  client: BankClient;
  provider: string;
  detail?: ProviderDetail | undefined;
  username?: string | undefined;
  settings?: LoginSettings;
}

/** A login at a bank that is known already. */
export function LoginScreen({ client, provider, detail, username, settings = {} }: LoginScreenProps) {
  const view = useLogin(client, { provider, detail, username, settings });
  return (
    <section data-state={view.state} aria-busy={view.busy}>
      <header>
        <Verb name="cancel" run={view.cancel} text="Cancel" />
      </header>
      {view.state === "loggedIn" ? <p>You are logged in.</p> : <LoginSteps view={view} />}
    </section>
  );
}
