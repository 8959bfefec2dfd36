import { createHash } from "node:crypto";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import { createDurableLoginClient, DURABLE_LOGIN_VERSION, durableLoginName } from "../../../src/restate/index.ts";
import { createLoginId, readVersion } from "../../../src/restate/login-id.ts";

test("the statechart is that of the version: whoever changes it raises DURABLE_LOGIN_VERSION, and this digest", () => {
  const names = (_: string, value: unknown) => (typeof value === "function" ? "function" : value);
  const digest = createHash("sha256").update(JSON.stringify(loginMachine.config, names)).digest("hex").slice(0, 16);
  expect({ version: DURABLE_LOGIN_VERSION, digest }).toEqual({ version: "5", digest: "9693da59e69e7e38" });
});

test("a version is part of the object's name and of every login's id", () => {
  expect(durableLoginName()).toBe("ventanilla-login-5");
  expect(durableLoginName("6")).toBe("ventanilla-login-6");
  expect(createLoginId("2", "order-17")).toBe("2.order-17");
  expect(readVersion("2.order-17")).toBe("2");
});

test("a setting without an end goes as the longest there is: JSON has no infinity", async () => {
  const sent: unknown[] = [];
  const logins = createDurableLoginClient({
    ingress: "http://restate.example",
    sealKey: Buffer.alloc(32).toString("base64"),
    fetch: async (_, init) => {
      sent.push(JSON.parse(new TextDecoder().decode(init?.body as Uint8Array)).settings);
      return Response.json({ state: "submitting" });
    },
  });
  const endless = Number.POSITIVE_INFINITY;
  const settings = { answerTimeout: endless, deadline: endless, interactionLimit: endless, validate: true };
  await logins.start({ provider: "test", username: "12345", password: "gfdsa", settings });
  expect(sent).toEqual([{ answerTimeout: 2 ** 31 - 1, interactionLimit: Number.MAX_SAFE_INTEGER, validate: true }]);
});

test.each(["", "a b", "a/b", "ñ", "a".repeat(65)])(
  "a name that can't stand in an address is refused: %j",
  async (name) => {
    const logins = createDurableLoginClient({
      ingress: "http://127.0.0.1:9",
      sealKey: Buffer.alloc(32).toString("base64"),
    });
    const form = { name, provider: "test", username: "12345", password: "gfdsa" };
    await expect(logins.start(form)).rejects.toMatchObject({ code: "invalid_input", field: "name" });
  },
);
