import { useState } from "react";
import { View } from "react-native";
import { createBankClient } from "ventanilla";
import { styles } from "./controls";
import { LinkScreen } from "./LinkScreen";

// A relay on a server of yours has the API key: what is in an app can be read by whoever has the app.
const RELAY = "https://relay.example/bank";

export function App() {
  const [client] = useState(() => createBankClient({ baseUrl: RELAY }));
  return (
    <View style={styles.screen}>
      <LinkScreen client={client} settings={{ clientSelection: true }} />
    </View>
  );
}
