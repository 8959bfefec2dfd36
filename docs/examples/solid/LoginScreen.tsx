import { Show } from "solid-js";
import type { BankClient, LoginSettings, ProviderDetail } from "ventanilla";
import { useLogin } from "ventanilla/solid";
import { LoginSteps, Verb } from "./LoginSteps.tsx";

interface LoginScreenProps {
  client: BankClient;
  provider: string;
  detail?: ProviderDetail | undefined;
  username?: string | undefined;
  settings?: LoginSettings;
}

/** A login at a bank that is known already. */
export function LoginScreen(props: LoginScreenProps) {
  const view = useLogin(props.client, props);
  const unfinished = () => {
    const now = view();
    return now.state !== "loggedIn" && now;
  };
  return (
    <section data-state={view().state} aria-busy={view().busy}>
      <header>
        <Verb name="cancel" run={view().cancel} text="Cancel" />
      </header>
      <Show when={unfinished()} fallback={<p>You are logged in.</p>}>
        {(login) => <LoginSteps view={login()} />}
      </Show>
    </section>
  );
}
