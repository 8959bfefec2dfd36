import { beforeEach, expect, jest, test } from "@jest/globals";
import { configure, fireEvent, render, screen } from "@testing-library/react-native";
import { createBankClient, createRelayClient, reveal } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor } from "ventanilla/testing";
import { createMemoryStore } from "ventanilla/tokens";
import { Login } from "./App";

configure({ asyncUtilTimeout: 30_000 });

const mockStore = new Map<string, string>();
jest.mock("expo-secure-store", () => ({
  getItem: (name: string) => mockStore.get(name) ?? null,
  setItem: (name: string, value: string) => {
    if (!/^[\w.-]+$/.test(name)) throw new Error(`no name for SecureStore: ${name}`);
    mockStore.set(name, value);
  },
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
  await screen.findByTestId("awaitingInteraction");
}

const kept = () => [...mockStore.values()].join();

async function killApp() {
  screen.unmount();
  // The actor is stopped in a microtask.
  await Promise.resolve();
  expect(kept()).not.toBe("");
}

function answer(code: string) {
  fireEvent.changeText(screen.getByTestId("otp"), code);
  fireEvent.press(screen.getByTestId("verb answer"));
}

test("an app that was closed at the question goes on with the login: two logins at the bank in all", async () => {
  const { openApp, logins } = createWorld();
  openApp("ana");
  await reachQuestion();
  expect(kept()).not.toMatch(/12345otp|asdfg/);
  await killApp();

  openApp("ana");
  expect(await screen.findByText("OTP required")).toBeOnTheScreen();
  expect(logins).toHaveLength(1);
  answer("8888");
  await screen.findByTestId("linked");
  expect(logins).toHaveLength(2);
  expect(kept()).toBe("");
});

test("the app of another person can't, and what was stored is gone", async () => {
  const { openApp, logins } = createWorld();
  openApp("ana");
  await reachQuestion();
  await killApp();

  openApp("eva");
  await screen.findByTestId("failed");
  expect(screen.queryByText("OTP required")).toBeNull();
  expect(logins).toHaveLength(1);
  expect(kept()).toBe("");
});

test.each(["", "half of {", "null", '{"provider":"test","key":"k"}'])(
  "an app that finds %j from another version begins again",
  async (text) => {
    mockStore.set("ventanilla_http_relay.test_null_null_", text);
    createWorld().openApp("ana");
    expect(await screen.findByTestId("choice test")).toBeOnTheScreen();
  },
);
