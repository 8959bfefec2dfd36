import { expect, test } from "vitest";
import { clientThatReads, FORM } from "../core/api/local-bank.ts";
import { known, sandbox } from "./sandbox.ts";

test.each(["wrong_credentials", "missing_credentials", "provider_doesnt_exist"] as const)(
  "7 the body {status: %s} is that outcome, whatever the HTTP code",
  async (status) => {
    for (const http of [200, 400, 401, 403, 404, 500, 503]) {
      const client = clientThatReads({ http, json: { status } });
      const response = status === "provider_doesnt_exist" ? client.getProvider("nobody") : client.login(FORM);
      expect(await response).toEqual({ status, httpStatus: http, wire: { status } });
    }
  },
);

test("7 an error of the login never brings a key, even where the service sends one", async () => {
  for (const status of ["wrong_credentials", "missing_credentials", "user_blocked", "under_review", "error"]) {
    const client = clientThatReads({ json: { status, key: "a-key" } });
    expect(await client.login(FORM)).not.toHaveProperty("key");
  }
});

test("7 a wrong user name is wrong_credentials", async () => {
  expect((await sandbox.login(known("test", "nobody", "gfdsa"))).status).toBe("wrong_credentials");
});

test("7 interaction_required and select_client are no errors, whatever the HTTP code", async () => {
  for (const http of [200, 202, 401, 403, 503]) {
    const body = { key: "a-key", context: "", field: "otp" };
    const client = clientThatReads(
      { http, json: { status: "interaction_required", ...body } },
      { http, json: { status: "select_client", ...body } },
    );
    expect((await client.login(FORM)).status).toBe("interaction_required");
    expect((await client.login(FORM)).status).toBe("select_client");
  }
});
