import { describe, expect, test } from "vitest";
import { API_KEY, clientThatReads, createClient, SESSION_KEY, serveResponses } from "./server.ts";

describe("a key that a read's response repeats, wherever it stands, is cleared", () => {
  test("in a list of providers", async () => {
    const providers = [{ code: "a", country: "UY", name: `A for ${API_KEY}`, more: [{ [API_KEY]: API_KEY }] }];
    const client = clientThatReads({ json: { status: "success", providers } });
    expect(await client.listProviders()).toEqual({
      status: "success",
      providers: [{ code: "a", country: "UY", name: "A for [secret]", more: [{ "[secret]": "[secret]" }] }],
    });
  });

  test("in a provider's detail", async () => {
    const provider = { name: "A", country: "UY", auth_fields: [], account_type: [], logo: `https://a/?${API_KEY}` };
    const client = clientThatReads({ json: { status: "success", provider } });
    expect(await client.getProvider("a")).toMatchObject({ provider: { logo: "https://a/?[secret]" } });
  });

  test("in a list of destinations", async () => {
    const destinations = [{ id: 7, name: `A at ?key=${SESSION_KEY}` }];
    const client = clientThatReads({ json: { status: "success", destinations } });
    expect(await client.listTransferDestinations(SESSION_KEY)).toEqual({
      status: "success",
      destinations: [{ id: 7, name: "A at ?key=[secret]" }],
    });
  });

  test.each(["k3y-7", "api-key-12"])("in texts for people, however short it is: %s", async (apiKey) => {
    const providers = [{ code: "a", country: "UY", name: `Bank (${apiKey})`, more: { text: `for ${apiKey}!` } }];
    const { url } = await serveResponses({ json: { status: "success", providers } });
    expect(await createClient(url, { apiKey }).listProviders()).toEqual({
      status: "success",
      providers: [{ code: "a", country: "UY", name: "Bank ([secret])", more: { text: "for [secret]!" } }],
    });
  });

  test("but a short one is left where it may be a bank's code", async () => {
    const providers = [{ code: "test", country: "UY", name: "A" }];
    const { url } = await serveResponses({ json: { status: "success", providers } });
    expect(await createClient(url, { apiKey: "test" }).listProviders()).toEqual({ status: "success", providers });
  });
});
