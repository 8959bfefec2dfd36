import { useRef, useState } from "react";
import { Text, TextInput, View } from "react-native";
import { type FieldErrors, type FormField, type FormValues, reveal } from "ventanilla";
import { Alert, Choice, styles, Verb } from "./controls";

interface FormProps {
  fields: readonly FormField[];
  /** Without it the form is disabled: its request is under way. */
  submit: ((values: FormValues) => FieldErrors | undefined) | undefined;
  /** Called with each choice, where choices depend on each other. */
  narrow?: ((field: string, value: string) => void) | undefined;
  /** The code of a message that was pasted with it. */
  readPaste?: ((field: string, text: string) => string) | undefined;
  verb: string;
  text?: string | undefined;
}

/** Keeps what is typed in a ref, which no developer tool shows, and clears passwords and codes when they are sent. */
export function Form({ fields, submit, narrow, readPaste, verb, text = "Continue" }: FormProps) {
  const typed = useRef<Record<string, string>>({});
  const inputs = useRef<Record<string, TextInput | null>>({});
  const [errors, setErrors] = useState<FieldErrors>();
  const send = () => {
    const initial = fields.map((field) => [field.name, readInitial(field)]);
    const found = submit?.({ ...Object.fromEntries(initial), ...typed.current });
    setErrors(found);
    if (found) return;
    for (const { name, input } of fields) {
      if (input !== "password") continue;
      delete typed.current[name];
      inputs.current[name]?.clear();
    }
  };
  return (
    <View style={styles.column}>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          editable={submit !== undefined}
          keep={(input) => {
            inputs.current[field.name] = input;
          }}
          change={(value) => {
            const text = readPaste?.(field.name, value) ?? value;
            // The person sees what is sent.
            if (text !== value) inputs.current[field.name]?.setNativeProps({ text });
            typed.current[field.name] = text;
            if (field.input === "select") narrow?.(field.name, value);
          }}
        />
      ))}
      {errors && <Alert text={formatErrors(fields, errors)} />}
      <Verb name={verb} run={submit && send} text={submit ? text : "Talking to the bank…"} />
    </View>
  );
}

interface FieldProps {
  field: FormField;
  editable: boolean;
  keep: (input: TextInput | null) => void;
  change: (value: string) => void;
}

function Field({ field, editable, keep, change }: FieldProps) {
  const { label, input, autocomplete, inputMode } = field;
  if (input === "hidden") return null;
  if (input === "select") return <Select field={field} change={change} />;
  const isCode = autocomplete === "one-time-code";
  return (
    <View>
      <Text>{label}</Text>
      <TextInput
        ref={keep}
        accessibilityLabel={label}
        testID={field.name}
        style={styles.input}
        editable={editable}
        defaultValue={readInitial(field)}
        onChangeText={change}
        secureTextEntry={input === "password"}
        inputMode={inputMode}
        // iOS offers the code of a text message over the keyboard by the first, Android by the second.
        {...(isCode && { textContentType: "oneTimeCode" })}
        // Android would offer to make a new password up.
        autoComplete={isCode ? "sms-otp" : autocomplete === "new-password" ? "off" : autocomplete}
        autoCapitalize="none"
        autoCorrect={false}
        spellCheck={false}
      />
    </View>
  );
}

/** React Native has no list to choose from: the choices stand below each other. */
function Select({ field: { label, choices, initial }, change }: Pick<FieldProps, "field" | "change">) {
  const [chosen, setChosen] = useState(initial);
  const choose = (value: string) => {
    setChosen(value);
    change(value);
  };
  return (
    <View accessibilityRole="radiogroup" accessibilityLabel={label}>
      <Text>{label}</Text>
      {choices.map(({ value, label }) => (
        <Choice key={value} value={value} text={label} choose={choose} checked={value === chosen} />
      ))}
    </View>
  );
}

/** What is wrong, with the label of each field. */
const formatErrors = (fields: readonly FormField[], errors: FieldErrors): string =>
  Object.entries(errors)
    .map(([name, text]) => `${fields.find((field) => field.name === name)?.label ?? ""} ${text}`.trim())
    .join("\n");

const readInitial = ({ initial, prefill }: FormField): string => (prefill ? reveal(prefill) : initial);
