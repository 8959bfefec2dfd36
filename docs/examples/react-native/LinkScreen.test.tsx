import { expect, test } from "@jest/globals";
import { configure, fireEvent, render, screen } from "@testing-library/react-native";
import { createBankClient } from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor } from "ventanilla/testing";
import { LinkScreen } from "./LinkScreen";

configure({ asyncUtilTimeout: 30_000 });

const press = (name: string) => fireEvent.press(screen.getByRole("button", { name }));

/** The screen on a bank in the same process, and the requests that the bank gets. */
function renderOnSandbox() {
  const fetch = fetchFor({ faults: [], steps: [] });
  const requests: string[] = [];
  const client = createBankClient({
    baseUrl: "http://sandbox.example",
    apiKey: SANDBOX_API_KEY,
    fetch: (address, init) => {
      requests.push(`${init?.method} ${new URL(String(address)).pathname}`);
      return fetch(address, init);
    },
  });
  render(<LinkScreen client={client} />);
  return requests;
}

async function chooseQuetzal() {
  fireEvent.changeText(await screen.findByLabelText("Bank"), "quetzal");
  press("Banco Quetzal");
  await screen.findByTestId("enteringCredentials");
}

test("a person gets from a bank to its destinations, by way of a wrong password and a wrong code", async () => {
  const requests = renderOnSandbox();
  await chooseQuetzal();
  fireEvent.changeText(screen.getByTestId("username"), "otp");
  fireEvent.changeText(screen.getByTestId("password"), "wrong");
  press("Continue");
  await screen.findByTestId("failed");
  expect(screen.getByRole("alert")).toHaveTextContent(/password/);
  fireEvent.changeText(screen.getByTestId("password"), "s3creto");
  press("Continue");
  await screen.findByTestId("answering");
  fireEvent.changeText(screen.getByTestId("answer"), "000000");
  press("Continue");
  expect(await screen.findByText(/Answers sent: 1\./)).toBeOnTheScreen();
  fireEvent.changeText(screen.getByTestId("answer"), "975310");
  press("Continue");
  await screen.findByTestId("linked");
  expect(requests.filter((request) => request === "POST /login/")).toHaveLength(4);
});

test("passwords and codes are hidden, and the phone offers the code of a message", async () => {
  renderOnSandbox();
  await chooseQuetzal();
  expect(screen.getByTestId("username")).toHaveProp("secureTextEntry", false);
  expect(screen.getByTestId("password")).toHaveProp("secureTextEntry", true);
  fireEvent.changeText(screen.getByTestId("username"), "otp");
  fireEvent.changeText(screen.getByTestId("password"), "s3creto");
  press("Continue");
  await screen.findByTestId("answering");
  expect(screen.getByTestId("answer")).toHaveProp("textContentType", "oneTimeCode");
  expect(screen.getByTestId("answer")).toHaveProp("autoComplete", "sms-otp");
});

test("an empty field is named, and nothing is sent", async () => {
  const requests = renderOnSandbox();
  await chooseQuetzal();
  fireEvent.changeText(screen.getByTestId("username"), "otp");
  press("Continue");
  expect(screen.getByRole("alert")).toHaveTextContent("A field that the bank requires is missing.");
  expect(requests).not.toContain("POST /login/");
  fireEvent.changeText(screen.getByTestId("password"), "s3creto");
  press("Continue");
  await screen.findByTestId("answering");
  press("Continue");
  expect(screen.getByRole("alert")).toHaveTextContent("A field that the bank requires is missing.");
  expect(requests.filter((request) => request === "POST /login/")).toHaveLength(1);
});
