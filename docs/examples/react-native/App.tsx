import { useState } from "react";
import { View } from "react-native";
import { type BankClient, createRelayClient, type RelayHeaders } from "ventanilla";
import { styles } from "./controls";
import { keychain } from "./kept-login";
import { LinkScreen } from "./LinkScreen";

// A relay on your server has the API key: what is in an app can be read by all who have the app.
const RELAY = "https://relay.example/bank";

/** A short-lived token, by which the relay knows the app: your own backend gives it to a user who is signed in. */
async function fetchHeaders(): Promise<RelayHeaders> {
  const response = await fetch("https://app.example/bank-login-token", { method: "POST" });
  const { token } = (await response.json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

export function App() {
  const [client] = useState(() => createRelayClient({ baseUrl: RELAY, headers: fetchHeaders }));
  return (
    <View style={styles.screen}>
      <Login client={client} />
    </View>
  );
}

/** The login that the app was closed in, or a new one. */
export function Login({ client }: { client: BankClient }) {
  return <LinkScreen client={client} settings={{ clientSelection: true, destinations: true }} keep={keychain} />;
}
