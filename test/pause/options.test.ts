import { inspect } from "node:util";
import { InputError, type LoginActor, pause, readState, resume, SecretError, secret } from "ventanilla";
import { loginMachine } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import { asks, loggedIn } from "../bank/service.ts";
import { answer } from "../login/started.ts";
import { KEY, OTHER_KEY, readFailure, takeUp, waiting } from "./paused.ts";

const bytes = (length: number) => Buffer.alloc(length, "canary").toString("base64");
const notThatLong = "invalid_input: key: must be 32 bytes as base64 or base64url";

const badKeys = [
  ["31 bytes", bytes(31), notThatLong],
  ["33 bytes", bytes(33), notThatLong],
  ["16 bytes, as for A128GCM", bytes(16), notThatLong],
  ["no base64", "a canary that is 32 bytes long!!", notThatLong],
  ["32 bytes as hexadecimal digits", Buffer.alloc(32, "canary").toString("hex"), notThatLong],
  ["a secret of 31 bytes", secret(bytes(31)), notThatLong],
  ["one of a list", [KEY, bytes(31)], notThatLong],
  ["no key of a list", [], "invalid_input: key: must name at least one key"],
  ["an empty text", "", "invalid_input: key: must not be empty"],
  ["nothing", undefined as unknown as string, "invalid_input: key: must be a string or a secret"],
] as const;

describe("a key that seals nothing", () => {
  test.each(badKeys)("(%s) is refused by name, never repeated, and the login goes on", async (_, key, message) => {
    const { actor, reaches } = await waiting([asks("otp", "key-1"), loggedIn("key-2")]);
    const error = await readFailure(pause(actor, { key }));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "invalid_input", field: "key", message });
    expect(inspect(error, { showHidden: true })).not.toMatch(/canary|Y2FuYXJ5|63616e617279/);
    expect(actor.getSnapshot().status).toBe("active");
    actor.send(answer);
    await reaches("loggedIn");
  });

  test.each(badKeys)("(%s) is refused at the other end, too", async (_, key, message) => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const token = await pause(actor, { key: KEY });
    const error = await readFailure(resume(service.client(), token, { key }));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "invalid_input", field: "key", message });
    expect(inspect(error, { showHidden: true })).not.toMatch(/canary|Y2FuYXJ5|63616e617279/);
  });

  test("because it was a secret before it went through JSON is told as that", async () => {
    const { actor } = await waiting([asks("otp", "key-1")]);
    const error = await readFailure(pause(actor, { key: JSON.parse(JSON.stringify(secret(KEY))) }));
    expect(error).toBeInstanceOf(SecretError);
    expect(error).toMatchObject({ code: "secret_unavailable", field: "key" });
  });
});

describe("a key", () => {
  const base64url = KEY.replaceAll("+", "-").replaceAll("/", "_").replace("=", "");

  test.each([
    ["base64", KEY],
    ["base64 without padding", KEY.replace("=", "")],
    ["base64url", base64url],
    ["base64 with the line's end of a file", `${KEY}\n`],
  ])("may be given as %s", async (_, key) => {
    expect(KEY).toMatch(/\+.*\//);
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const { actor: resumed } = await takeUp(service, await pause(actor, { key }), { key: base64url });
    expect(readState(resumed.getSnapshot())).toBe("awaitingInteraction");
  });

  test("is replaced step by step: the first of a list seals, each opens", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const sealedBefore = await pause(actor, { key: OTHER_KEY });
    const between = await takeUp(service, sealedBefore, { key: [KEY, OTHER_KEY] });
    const sealedNow = await pause(between.actor, { key: [KEY, OTHER_KEY] });
    await expect(resume(service.client(), sealedNow, { key: OTHER_KEY })).rejects.toMatchObject({
      code: "token_of_another_key",
    });
    const after = await takeUp(service, sealedNow, { key: KEY });
    expect(readState(after.actor.getSnapshot())).toBe("awaitingInteraction");
  });
});

describe("a time until a token expires", () => {
  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    "is not %d, and the login goes on",
    async (time) => {
      const { actor, reaches } = await waiting([asks("otp", "key-1"), loggedIn("key-2")]);
      const error = await readFailure(pause(actor, { key: KEY, sealTtl: time }));
      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({ code: "invalid_input", field: "sealTtl" });
      actor.send(answer);
      await reaches("loggedIn");
    },
  );
});

describe("a login", () => {
  test("of a statechart without a client can't be paused", async () => {
    const actor = createActor(loginMachine, { input: {} }).start();
    const error = await readFailure(pause(actor, { key: KEY }));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "invalid_input", field: "login" });
  });

  test("is an actor, not its snapshot", async () => {
    const { actor } = await waiting([asks("otp", "key-1")]);
    const error = await readFailure(pause(actor.getSnapshot() as unknown as LoginActor, { key: KEY }));
    expect(error).toMatchObject({ code: "invalid_input", field: "login" });
  });

  test("restored without its secrets can't be paused", async () => {
    const { actor } = await waiting([asks("otp", "key-1")]);
    const stored = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
    const restored: LoginActor = createActor(actor.logic, { input: {}, snapshot: stored }).start();
    expect(readState(restored.getSnapshot())).toBe("awaitingInteraction");
    const error = await readFailure(pause(restored, { key: KEY }));
    expect(error).toMatchObject({ name: "SecretError", code: "secret_unavailable" });
    restored.stop();
  });
});
