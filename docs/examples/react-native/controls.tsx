import { Pressable, StyleSheet, Text } from "react-native";

interface ChoiceProps {
  value: string;
  text: string;
  choose: (value: string) => void;
  /** For one of a group, where several stand to choose before anything is sent. */
  checked?: boolean;
}

export function Choice({ value, text, choose, checked }: ChoiceProps) {
  return (
    <Pressable
      testID={`choice ${value}`}
      accessibilityRole={checked === undefined ? "button" : "radio"}
      accessibilityState={{ checked }}
      onPress={() => choose(value)}
      style={[styles.choice, checked && styles.checked]}
    >
      <Text>{text}</Text>
    </Pressable>
  );
}

/** A button for a verb of the view. It is there in every step, disabled without the verb, so that no other button takes its place. */
export function Verb({ name, run, text }: { name: string; run: (() => void) | undefined; text: string }) {
  return (
    <Pressable
      testID={`verb ${name}`}
      accessibilityRole="button"
      accessibilityState={{ disabled: !run }}
      disabled={!run}
      onPress={run}
      style={[styles.button, !run && styles.disabled]}
    >
      <Text style={styles.buttonText}>{text}</Text>
    </Pressable>
  );
}

export function Alert({ text }: { text: string }) {
  return (
    <Text accessibilityRole="alert" style={styles.alert}>
      {text}
    </Text>
  );
}

export const styles = StyleSheet.create({
  screen: { flex: 1, padding: 16, paddingTop: 64 },
  whole: { flex: 1, gap: 12 },
  column: { gap: 12 },
  row: { flexDirection: "row", gap: 8 },
  title: { fontSize: 20, fontWeight: "600" },
  input: { borderWidth: 1, borderColor: "#767676", borderRadius: 8, padding: 12, minHeight: 44 },
  choice: { borderWidth: 1, borderColor: "#767676", borderRadius: 8, padding: 12, minHeight: 44, marginBottom: 8 },
  checked: { borderColor: "#0b57d0", borderWidth: 2 },
  button: { backgroundColor: "#0b57d0", borderRadius: 8, padding: 12, minHeight: 44 },
  disabled: { opacity: 0.4 },
  buttonText: { color: "#ffffff", textAlign: "center" },
  alert: { color: "#b3261e" },
  picture: { height: 120 },
});
