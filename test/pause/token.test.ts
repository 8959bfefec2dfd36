import { createHash } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import {
  createBankClient,
  createCredentials,
  createLoginMachine,
  loginView,
  pause,
  readState,
  secret,
} from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { describe, expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { dataUrl, pngOfBytes } from "../api/pictures.ts";
import { asks } from "../bank/service.ts";
import { newCanaries } from "../leaks/canaries.ts";
import { answer } from "../login/started.ts";
import { KEY, takeUp, waiting } from "./paused.ts";

/** Which of the texts can be read in a token, as it stands or decoded. */
function readableIn(token: string, texts: readonly string[]): string[] {
  const parts = token.split(".").flatMap((part) => [part, Buffer.from(part, "base64url").toString("latin1")]);
  return texts.filter((text) => [token, ...parts].some((part) => part.includes(text)));
}

describe("the token of a paused login", () => {
  test("is URL-safe and stays under 1 KiB for a plain account", async () => {
    const sandbox = createSandbox();
    const client = createBankClient({
      baseUrl: "https://banking.example.com",
      apiKey: SANDBOX_API_KEY,
      fetch: (input, init) => sandbox(new Request(input, init)),
    });
    const settings = { answerTimeout: 300_000, deadline: Date.now() + 900_000 };
    const actor = createActor(createLoginMachine(client), { input: settings }).start();
    const credentials = createCredentials({ provider: "test", username: "12345otp", password: "asdfg" });
    actor.send({ type: "credentials.submit", credentials });
    await waitFor(actor, (snapshot) => readState(snapshot) === "awaitingInteraction");
    const token = await pause(actor, { key: KEY });
    expect(token).toMatch(/^[\w.-]+$/);
    expect(encodeURIComponent(token)).toBe(token);
    expect(token.length).toBeGreaterThan(300);
    expect(token.length).toBeLessThan(600);
  });

  test("has no room for a picture, and says that it was left out", async () => {
    const picture = dataUrl("image/png", pngOfBytes(100_000));
    const { service, actor } = await waiting([asks("captcha", "key-1", picture), { json: { status: "logged_in" } }]);
    const token = await pause(actor, { key: KEY });
    expect(token.length).toBeLessThan(1024);
    const resumed = await takeUp(service, token);
    const view = loginView(resumed.actor.getSnapshot(), resumed.actor.send, { provider: "test" });
    if (view.step !== "answering") expect.fail(view.step);
    expect(view.question).toMatchObject({
      kind: "picture",
      picture: undefined,
      text: expect.stringContaining("Cancel"),
    });
    // Whoever has seen it before can answer all the same.
    view.answer("7K4MP2");
    await resumed.reaches("loggedIn");
  });

  test("shows how it is sealed, and nothing of the login or the key", async () => {
    const canaries = newCanaries(["username", "password", "company", "firstKey"]);
    const { service, actor } = await waiting(
      [asks("otp", canaries.firstKey.value, "a telling question")],
      {},
      {
        provider: "a_telling_provider",
        username: canaries.username.value,
        password: canaries.password.value,
        fields: { a_telling_field: canaries.company.value },
      },
    );
    const token = await pause(actor, { key: KEY });
    const hidden = [
      ...Object.values(canaries).map(({ token: text }) => text),
      ...["a_telling_provider", "a telling question", "a_telling_field", service.url, KEY.slice(0, 16)],
    ];
    expect(readableIn(token, hidden)).toEqual([]);
    expect(decodeProtectedHeader(token)).toEqual({
      alg: "dir",
      enc: "A256GCM",
      typ: "ventanilla-login-1",
      kid: createHash("sha256").update(KEY, "base64").digest("base64url").slice(0, 8),
    });
    // The search itself, on a token that is not sealed.
    const open = `${Buffer.from(JSON.stringify(hidden)).toString("base64url")}.x`;
    expect(readableIn(open, hidden)).toEqual(hidden);
  });

  test("is another one each time", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const first = await pause(actor, { key: KEY });
    const resumed = await takeUp(service, first);
    const second = await pause(resumed.actor, { key: KEY });
    const [header, , ...parts] = first.split(".");
    const [sameHeader, , ...otherParts] = second.split(".");
    expect(sameHeader).toBe(header);
    expect(parts.filter((part, index) => part === otherParts[index])).toEqual([]);
  });

  test("is taken with a key that is a secret, too", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1"), { json: { status: "logged_in" } }]);
    const resumed = await takeUp(service, await pause(actor, { key: secret(KEY) }), { key: secret(KEY) });
    resumed.actor.send(answer);
    await resumed.reaches("loggedIn");
    expect(service.requests).toHaveLength(2);
  });
});
