import { fireEvent, screen } from "@testing-library/react-native";
import { TextInput } from "react-native";
import type { LinkDriver } from "ventanilla/testing";

/** Acts on the screen that is rendered, for the paths of ventanilla/testing. */
export function screenDriver(): LinkDriver {
  const press = (testID: string) => {
    const button = screen.getByTestId(testID);
    // A press would do nothing, and the test would not notice.
    if (button.props.accessibilityState?.disabled) throw new Error(`"${testID}" is disabled.`);
    fireEvent.press(button);
  };
  const verb = (name: string) => press(`verb ${name}`);
  const enter = (field: string, value: string) => {
    const input = screen.queryByTestId(field);
    if (input) fireEvent.changeText(input, value);
    // A confirmation has nothing to type in and nothing to choose.
    else if (screen.queryByTestId(`choice ${value}`)) press(`choice ${value}`);
  };
  // Of a question with one field: a text, or a choice.
  const enterText = (text: string) => {
    const [input] = screen.UNSAFE_queryAllByType(TextInput);
    if (input) fireEvent.changeText(input, text);
    else enter("", text);
  };
  return {
    currentState: () => screen.root.props["testID"],
    currentText: () =>
      screen
        .queryAllByText(/./)
        .flatMap(({ props }) => props["children"])
        .join(" "),
    choose: (value) => {
      // Of a long list only the beginning is drawn.
      const search = screen.queryByLabelText("Bank");
      if (search) fireEvent.changeText(search, value);
      press(`choice ${value}`);
    },
    fill: (values) => {
      for (const [field, value] of Object.entries(values)) enter(field, value);
    },
    submit: () => verb("submit"),
    answer: (answer) => {
      if (typeof answer === "string") enterText(answer);
      else for (const [field, value] of Object.entries(answer)) enter(field, value);
      verb("answer");
    },
    cancel: () => verb("cancel"),
    replaceSession: () => verb("replaceSession"),
    retry: () => verb("retry"),
    changeProvider: () => verb("changeProvider"),
    cancelLink: () => verb("cancelLink"),
  };
}
