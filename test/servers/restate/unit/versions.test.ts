import { createHash } from "node:crypto";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import { DURABLE_LOGIN_VERSION, durableLoginName } from "../../../../src/servers/restate/index.ts";
import { createLoginId, readVersion } from "../../../../src/servers/restate/login-id.ts";

test("a change of the statechart needs a new DURABLE_LOGIN_VERSION, and a new digest here", () => {
  const names = (_: string, value: unknown) => (typeof value === "function" ? "function" : value);
  const digest = createHash("sha256").update(JSON.stringify(loginMachine.config, names)).digest("hex").slice(0, 16);
  expect({ version: DURABLE_LOGIN_VERSION, digest }).toEqual({ version: "1", digest: "52a0ccd97ce101f8" });
});

test("a version is part of the object's name and of every login's id", () => {
  expect(durableLoginName()).toBe(`ventanilla-login-${DURABLE_LOGIN_VERSION}`);
  expect(durableLoginName("7")).toBe("ventanilla-login-7");
  expect(createLoginId("2", "order-17")).toBe("2.order-17");
  expect(readVersion("2.order-17")).toBe("2");
});
