import { useState } from "react";
import { ActivityIndicator, FlatList, ScrollView, Text, TextInput, View } from "react-native";
import type { BankClient, LinkScreenOptions, LinkSettings, LinkView } from "ventanilla";
import { useLink } from "ventanilla/react";
import { Alert, Choice, styles, Verb } from "./controls";
import { LoginSteps } from "./LoginSteps";

interface LinkScreenProps {
  client: BankClient;
  settings?: LinkSettings;
  keep?: LinkScreenOptions["keep"];
}

/** From "which bank?" to where its session can transfer to. */
export function LinkScreen({ client, settings = {}, keep }: LinkScreenProps) {
  const view = useLink(client, { settings, keep });
  return (
    <View testID={view.state} accessibilityState={{ busy: view.busy }} style={styles.whole}>
      <View style={styles.row}>
        <Verb name="changeProvider" run={view.changeProvider} text="Another bank" />
        <Verb name="cancel" run={view.cancel} text="Cancel" />
        <Verb name="cancelLink" run={view.cancelLink} text="Close" />
      </View>
      <Step view={view} />
    </View>
  );
}

function Step({ view }: { view: LinkView }) {
  switch (view.state) {
    case "loadingProviders":
    case "loadingFields":
    case "loadingDestinations":
      return <ActivityIndicator accessibilityLabel="One moment…" />;
    case "choosingProvider":
      return <ProviderList view={view} />;
    case "linkFailed":
      return (
        <>
          <Alert text={view.failure.text} />
          <Verb name="retry" run={view.retry} text="Try again" />
        </>
      );
    case "linked":
      return view.destinations.map(({ id, name }) => <Text key={id}>{name}</Text>);
    case "cancelled":
      return <Text>Until next time.</Text>;
    default:
      return (
        <ScrollView contentContainerStyle={styles.column} keyboardShouldPersistTaps="handled">
          <Text accessibilityRole="header" style={styles.title}>
            {view.bank.name}
          </Text>
          <LoginSteps view={view} />
        </ScrollView>
      );
  }
}

/** A service may list thousands of banks: only those on the screen are drawn. */
function ProviderList({ view }: { view: Extract<LinkView, { state: "choosingProvider" }> }) {
  const [text, setText] = useState("");
  return (
    <>
      <TextInput
        accessibilityLabel="Bank"
        placeholder="Bank"
        value={text}
        onChangeText={setText}
        autoCorrect={false}
        style={styles.input}
      />
      <FlatList
        data={view.search({ text })}
        keyExtractor={({ code }) => code}
        renderItem={({ item }) => <Choice value={item.code} text={item.name} choose={view.choose} />}
        keyboardShouldPersistTaps="handled"
      />
    </>
  );
}
