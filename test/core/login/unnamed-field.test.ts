import { BankError, createCredentials, createLoginMachine, reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { loginUnread, person, startService } from "../../bank/service.ts";

// The bank has sent its code by then: to give up would cost the person a new login (contract, sections 2.2 and 2.3).

const asked = { json: { status: "interaction_required", key: "first-key", context: "Code?" } };
const loggedIn = { json: { status: "logged_in", key: "last-key" } };
const provider = (...names: readonly (readonly [string, boolean])[]) => ({
  json: {
    status: "success",
    provider: {
      name: "Test",
      country: "UY",
      auth_fields: names.map(([name, interactive]) => ({ name, type: "text", interactive, optional: false })),
      account_type: [],
      logo: "",
    },
  },
});

describe("an interaction that names no field", () => {
  test("asks for the only interactive field of the bank, by one read", async () => {
    const { client, lines, requests } = await startService([asked, provider(["type", false], ["otp", true]), loggedIn]);
    const outcome = await loginUnread(client(), person, {
      onInteraction: ({ field }) => (field === "otp" ? "8888" : ""),
    });
    expect(outcome.state).toBe("loggedIn");
    expect(lines()).toEqual(["POST /login/", "GET /provider/test/", "POST /login/?key=first-key"]);
    expect(new URLSearchParams(requests[2]?.body).get("otp")).toBe("8888");
  });

  test.each([
    ["has two interactive fields", provider(["otp", true], ["token", true])],
    ["has none", provider(["otp", false])],
    ["has one that would replace the password", provider(["password", true])],
    ["is not there", { http: 404, json: { status: "provider_doesnt_exist" } }],
    ["can't be read", { text: "<html>" }],
  ])("ends with the session's key if the bank's detail %s", async (_, detail) => {
    const { client, lines } = await startService([asked, detail]);
    const fault = await loginUnread(client({ retry: false }), person).catch((error: unknown) => error);
    if (!(fault instanceof BankError) || !fault.key) expect.fail("no key");
    expect(fault).toMatchObject({ code: "response_against_contract", field: "field", request: "POST /login/" });
    expect(reveal(fault.key)).toBe("first-key");
    expect(JSON.stringify(fault)).not.toContain('key"');
    expect(lines().filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  test("keeps the first key where a second interaction brings none", async () => {
    const { client } = await startService([
      { json: { ...asked.json, field: "otp" } },
      { json: { status: "interaction_required" } },
      provider(),
    ]);
    const fault = await loginUnread(client(), person, { onInteraction: () => "1" }).catch((error: unknown) => error);
    expect(fault instanceof BankError && fault.key && reveal(fault.key)).toBe("first-key");
  });

  test("fails a statechart as plain data, with the key at hand", async () => {
    const { client } = await startService([asked, provider()]);
    const actor = createActor(createLoginMachine(client()), { input: { validate: false } }).start();
    const { username, password, provider: code } = person;
    actor.send({ type: "credentials.submit", credentials: createCredentials({ provider: code, username, password }) });
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches("failed"));
    expect(context.failure).toMatchObject({ kind: "fault", code: "response_against_contract", field: "field" });
    expect(context.failure).not.toHaveProperty("key");
    expect(context.key && reveal(context.key)).toBe("first-key");
    expect(JSON.stringify(context)).not.toContain("first-key");
  });
});
