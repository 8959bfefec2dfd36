import {
  createBankClient,
  createLoginMachine,
  createMemoryClaimStore,
  InputError,
  pause,
  resume,
  secret,
} from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { openQuestion } from "../bank/service.ts";
import { serveResponses } from "./server.ts";

afterEach(() => vi.unstubAllGlobals());

/** As in a page of this origin. */
const onPage = (origin: string) => vi.stubGlobal("location", { origin });

const SEAL_KEY = Buffer.alloc(32, 7).toString("base64");

describe("a base address that is a path", () => {
  test.each([
    ["/bank", "/bank"],
    ["/bank/", "/bank"],
    ["/api/v1//", "/api/v1"],
    ["/", ""],
  ])("%s stays as it is given, without the slash at its end: %s", (given, taken) => {
    expect(createBankClient({ baseUrl: given }).baseUrl).toBe(taken);
  });

  test.each([
    "bank",
    "./bank",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/bank\\..",
    "/a/../bank",
    "/a b",
  ])("%j can mean another place, and is refused", (baseUrl) => {
    expect(() => createBankClient({ baseUrl })).toThrow(InputError);
    expect(() => createBankClient({ baseUrl })).toThrow(
      "invalid_input: baseUrl: must be an absolute address, or a path that begins with one slash",
    );
  });

  test.each(["/bank?a=b", "/bank#part", "/?", "/#"])("%s is refused for its query or fragment", (baseUrl) => {
    expect(() => createBankClient({ baseUrl })).toThrow("invalid_input: baseUrl: must have no user, query or fragment");
  });

  test("with an API key is refused at once: a page has none, and elsewhere there is no page", () => {
    onPage("https://shop.example");
    expect(() => createBankClient({ baseUrl: "/bank", apiKey: "k" })).toThrow(
      "invalid_input: baseUrl: must be an absolute address",
    );
  });

  test("is of the page's origin, which is asked for when a request is sent", async () => {
    const { url, requests } = await serveResponses({ json: { status: "success", providers: [] } });
    const read = vi.fn(() => url);
    vi.stubGlobal("location", {
      get origin() {
        return read();
      },
    });
    const seen: string[] = [];
    const client = createBankClient({ baseUrl: "/bank/", onRequest: (event) => seen.push(event.url) });
    createLoginMachine(client);
    expect(read).not.toHaveBeenCalled();
    expect((await client.listProviders()).status).toBe("success");
    expect(requests.map((request) => request.url)).toEqual(["/bank/provider/"]);
    expect(seen).toEqual([`${url}/bank/provider/`]);
  });

  test.each([[undefined], ["null"], ["file://"]])(
    "fails with a code that names it where the origin is %s, and nothing is sent",
    async (origin) => {
      if (origin) onPage(origin);
      const send = vi.fn<typeof fetch>();
      const client = createBankClient({ baseUrl: "/bank", fetch: send });
      const fault = {
        code: "invalid_input",
        field: "baseUrl",
        detail: "must be an absolute address where no page has an origin, as on a server",
      };
      await expect(client.listProviders()).rejects.toMatchObject(fault);
      const credentials = { provider: "test", username: "12345", password: "gfdsa" };
      await expect(client.login(credentials)).rejects.toMatchObject(fault);
      expect(send).not.toHaveBeenCalled();
    },
  );

  test("a paused login belongs to the whole address: the same path of another origin can't take it up", async () => {
    onPage("https://shop.example");
    const client = createBankClient({
      baseUrl: "/bank",
      fetch: async () =>
        Response.json({ status: "interaction_required", key: crypto.randomUUID(), context: "Code", field: "otp" }),
    });
    const actor = createActor(createLoginMachine(client), { input: {} }).start();
    const credentials = { provider: "test", fields: { username: secret("12345"), password: secret("gfdsa") } };
    actor.send({ type: "credentials.submit", credentials });
    await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
    const token = await pause(actor, { key: SEAL_KEY });
    onPage("https://evil.example");
    const given = { key: SEAL_KEY, claimStore: createMemoryClaimStore() };
    await expect(resume(client, token, given)).rejects.toMatchObject({ code: "token_of_another_address" });
    vi.unstubAllGlobals();
    await expect(resume(client, token, given)).rejects.toMatchObject({ field: "baseUrl" });
    onPage("https://shop.example");
    const resumed = await resume(client, token, given);
    await openQuestion(resumed).cancel();
  });

  test("is no address of a relay's service", () => {
    const client = createBankClient({ baseUrl: "/bank" });
    const options = { sealKey: SEAL_KEY, allowedOrigins: ["https://shop.example"], onLogin: () => undefined };
    expect(() => createRelay({ client, ...options })).toThrow("invalid_input: baseUrl");
  });
});
