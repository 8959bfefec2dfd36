import { ScrollView, Text, View } from "react-native";
import type { BankClient, LoginSettings, LoginView, ProviderDetail } from "ventanilla";
import { useLogin } from "ventanilla/react";
import { styles, Verb } from "./controls";
import { LoginSteps } from "./LoginSteps";

interface LoginScreenProps {
  client: BankClient;
  provider: string;
  detail?: ProviderDetail | undefined;
  settings?: LoginSettings;
}

/** A login at a bank that is known already. */
export function LoginScreen({ client, provider, detail, settings = {} }: LoginScreenProps) {
  return <LoginPanel view={useLogin(client, { provider, detail, settings })} />;
}

export function LoginPanel({ view }: { view: LoginView }) {
  return (
    <View testID={view.state} accessibilityState={{ busy: view.busy }} style={styles.whole}>
      <View style={styles.row}>
        <Verb name="cancel" run={view.cancel} text="Cancel" />
      </View>
      <ScrollView contentContainerStyle={styles.column} keyboardShouldPersistTaps="handled">
        {view.state === "loggedIn" ? <Text>You are logged in.</Text> : <LoginSteps view={view} />}
      </ScrollView>
    </View>
  );
}
