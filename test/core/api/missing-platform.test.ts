import { createBankClient, createRelayClient } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";

// What React Native lacks or does in its own way.

const apiKey = "api-key";
const form = { provider: "test", username: "12345", password: "gfdsa" };

/** A response as React Native's polyfill makes it: without `body` and without `redirected`. */
const toPolyfilled = (url: string, text: string | null) =>
  ({ status: 200, ok: true, type: "default", url, headers: new Headers(), text: async () => text }) as Response;

afterEach(() => vi.unstubAllGlobals());

test("baseUrl is checked without URL.canParse", () => {
  vi.stubGlobal("URL", class extends URL {});
  Object.defineProperty(URL, "canParse", { value: undefined });
  expect(() => createRelayClient({ baseUrl: "https://bank.example" })).not.toThrow();
  expect(() => createRelayClient({ baseUrl: "/bank" })).not.toThrow();
  expect(() => createRelayClient({ baseUrl: "//bank.example" })).toThrow("a path that begins with one slash");
});

test("a body that the platform could not decode is response_unreadable", async () => {
  const fetch = async () => toPolyfilled("https://bank.example/provider/", null);
  const client = createBankClient({ baseUrl: "https://bank.example", apiKey, fetch });
  await expect(client.listProviders()).rejects.toMatchObject({ code: "response_unreadable" });
});

describe("a response whose url", () => {
  const logIn = (url: string) =>
    createBankClient({
      baseUrl: "https://bank.example",
      apiKey,
      fetch: async () => toPolyfilled(url, '{"status":"logged_in","key":"k"}'),
    }).login(form);

  test.each(["https://elsewhere.example/login/", "http://bank.example/login/", "https://bank.example:8443/login/"])(
    "is %s is refused as a redirect",
    async (url) => {
      await expect(logIn(url)).rejects.toMatchObject({ code: "redirect_refused" });
    },
  );

  test.each(["https://bank.example/login/", "https://BANK.example:443/login/", ""])(
    "is '%s' is accepted",
    async (url) => {
      await expect(logIn(url)).resolves.toMatchObject({ status: "logged_in" });
    },
  );
});
