import { beforeEach, expect, jest, test } from "@jest/globals";
import { configure, fireEvent, render, screen } from "@testing-library/react-native";
import { createBankClient, createMemoryStore, createRelayClient, describeFailure, reveal } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor } from "ventanilla/testing";
import { Login } from "./App";

configure({ asyncUtilTimeout: 30_000 });

const mockStore = new Map<string, string>();
jest.mock("expo-secure-store", () => ({
  getItem: (name: string) => mockStore.get(name) ?? null,
  setItemAsync: async (name: string, value: string) => void mockStore.set(name, value),
  deleteItemAsync: async (name: string) => void mockStore.delete(name),
}));
beforeEach(() => mockStore.clear());

/** A bank that counts its logins, a relay before it, and the app of a person. */
function createWorld() {
  const fetch = fetchFor({ faults: [], steps: [] });
  const logins: string[] = [];
  const relay = createRelay({
    client: createBankClient({
      baseUrl: "http://sandbox.test",
      apiKey: SANDBOX_API_KEY,
      fetch: (address, init) => {
        if (init?.method === "POST") logins.push(String(init.body));
        return fetch(address, init);
      },
    }),
    sealKey: btoa("a seal key of thirty-two bytes!!".padEnd(32, "!")),
    store: createMemoryStore(),
    allowedOrigins: [],
    checkAppToken: () => true,
    readUser: ({ token }) => token && reveal(token),
    clientSelection: true,
    onLogin: () => {},
  });
  const openApp = (person: string) => {
    const client = createRelayClient({
      baseUrl: "http://relay.test",
      headers: { authorization: `Bearer ${person}` },
      fetch: (address, init) => relay(new Request(String(address), init)),
    });
    render(<Login client={client} />);
  };
  return { openApp, logins };
}

async function reachQuestion() {
  fireEvent.press(await screen.findByTestId("choice test"));
  fireEvent.changeText(await screen.findByTestId("username"), "12345otp");
  fireEvent.changeText(screen.getByTestId("password"), "asdfg");
  fireEvent.press(screen.getByTestId("verb submit"));
  await screen.findByTestId("answering");
}

function killApp() {
  screen.unmount();
  expect(mockStore.size).toBe(1);
}

function answer(code: string) {
  fireEvent.changeText(screen.getByTestId("otp"), code);
  fireEvent.press(screen.getByTestId("verb answer"));
}

test("an app that was closed at the question takes the login up: two logins at the bank in all", async () => {
  const { openApp, logins } = createWorld();
  openApp("ana");
  await reachQuestion();
  expect([...mockStore.values()].join()).not.toMatch(/12345otp|asdfg/);
  killApp();

  openApp("ana");
  expect(screen.getByText("OTP required")).toBeOnTheScreen();
  expect(logins).toHaveLength(1);
  answer("8888");
  await screen.findByTestId("loggedIn");
  expect(logins).toHaveLength(2);
  expect(mockStore.size).toBe(0);
});

test("the app of another person can't, and what was stored is gone", async () => {
  const { openApp, logins } = createWorld();
  openApp("ana");
  await reachQuestion();
  killApp();

  openApp("eva");
  answer("8888");
  await screen.findByTestId("failed");
  expect(screen.getByRole("alert")).toHaveTextContent(describeFailure("invalid_key", "en").text);
  expect(logins).toHaveLength(1);
  expect(mockStore.size).toBe(0);
});

test.each(["", "half of {", "null", '{"provider":"test","key":"k"}', '{"provider":"test","key":"k","interaction":{}}'])(
  "an app that finds %j from another version begins again",
  async (text) => {
    mockStore.set("bank-login", text);
    createWorld().openApp("ana");
    expect(await screen.findByTestId("choice test")).toBeOnTheScreen();
  },
);
