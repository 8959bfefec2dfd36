import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { act, configure, fireEvent, render, screen } from "@testing-library/react-native";
import { createBankClient, describeFailure } from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, type Path } from "ventanilla/testing";
import { LinkScreen } from "./LinkScreen";

configure({ asyncUtilTimeout: 30_000 });

const press = (name: string) => fireEvent.press(screen.getByRole("button", { name }));

/** The screen on a bank in the same process, and the requests that the bank gets. */
function renderOnSandbox({ faults }: Pick<Path, "faults"> = { faults: [] }) {
  const fetch = fetchFor({ faults, steps: [] });
  const requests: string[] = [];
  const client = createBankClient({
    baseUrl: "http://sandbox.example",
    apiKey: SANDBOX_API_KEY,
    fetch: (address, init) => {
      requests.push(`${init?.method} ${new URL(String(address)).pathname}`);
      return fetch(address, init);
    },
  });
  render(<LinkScreen client={client} settings={{ destinations: true }} />);
  return requests;
}

async function chooseQuetzal() {
  fireEvent.changeText(await screen.findByLabelText("Bank"), "quetzal");
  press("Banco Quetzal");
  await screen.findByTestId("idle");
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
  await screen.findByTestId("awaitingInteraction");
  fireEvent.changeText(screen.getByTestId("otp"), "000000");
  press("Continue");
  expect(await screen.findByText(/Tries so far: 1\./)).toBeOnTheScreen();
  // A phone copies the code with its message.
  fireEvent.changeText(screen.getByTestId("otp"), "Su código es 975310. No lo comparta.");
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
  await screen.findByTestId("awaitingInteraction");
  expect(screen.getByTestId("otp")).toHaveProp("textContentType", "oneTimeCode");
  expect(screen.getByTestId("otp")).toHaveProp("autoComplete", "sms-otp");
});

test("an empty field is named, and nothing is sent", async () => {
  const requests = renderOnSandbox();
  await chooseQuetzal();
  fireEvent.changeText(screen.getByTestId("username"), "otp");
  press("Continue");
  expect(screen.getByRole("alert")).toHaveTextContent(/Fill this in\./);
  expect(requests).not.toContain("POST /login/");
  fireEvent.changeText(screen.getByTestId("password"), "s3creto");
  press("Continue");
  await screen.findByTestId("awaitingInteraction");
  press("Continue");
  expect(screen.getByRole("alert")).toHaveTextContent(/Fill this in\./);
  expect(requests.filter((request) => request === "POST /login/")).toHaveLength(1);
});

describe("an app that was in the background while the bank asks", () => {
  const MINUTE = 60_000;
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Timers stand still while a phone sleeps, and the clock goes on. */
  function sleep(time: number) {
    jest.setSystemTime(Date.now() + time);
    // The second after the app is back.
    act(() => jest.advanceTimersByTime(1_000));
  }

  async function reachQuestion(path?: Pick<Path, "faults">) {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "performance"] });
    const requests = renderOnSandbox(path);
    await chooseQuetzal();
    fireEvent.changeText(screen.getByTestId("username"), "otp");
    fireEvent.changeText(screen.getByTestId("password"), "s3creto");
    press("Continue");
    await screen.findByTestId("awaitingInteraction");
    fireEvent.changeText(screen.getByTestId("otp"), "975310");
    return () => requests.filter((request) => request === "POST /login/").length;
  }

  test("shows the question with what was typed, while there is time to answer", async () => {
    const countLogins = await reachQuestion();
    sleep(4 * MINUTE);
    expect(screen.getByTestId("awaitingInteraction")).toBeOnTheScreen();
    press("Continue");
    await screen.findByTestId("linked");
    expect(countLogins()).toBe(2);
  });

  test("says that the time is over, and sends nothing", async () => {
    const countLogins = await reachQuestion();
    sleep(6 * MINUTE);
    await screen.findByTestId("failed");
    expect(screen.getByRole("alert")).toHaveTextContent(describeFailure("expired", "en").text);
    expect(countLogins()).toBe(1);
  });

  test("says that the connection broke, where it broke under the answer, and sends it once", async () => {
    const countLogins = await reachQuestion({ faults: [{ request: "POST /login/", number: 2, what: "broken" }] });
    press("Continue");
    sleep(2 * MINUTE);
    await screen.findByTestId("failed");
    expect(screen.getByRole("alert")).toHaveTextContent(describeFailure("network_failed", "en").text);
    sleep(10 * MINUTE);
    expect(countLogins()).toBe(2);
  });
});
