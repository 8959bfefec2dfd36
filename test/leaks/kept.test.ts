import { randomBytes } from "node:crypto";
import { createMemoryClaimStore, secret } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "xstate";
import { createLoginActor } from "../../src/core/view/screen-actor.ts";
import { asks, startService } from "../bank/service.ts";
import { watch } from "./channels.ts";
import { createProvingClient, flowCanaries, sentTo, submit } from "./flows.ts";

test("no secret is in what a page keeps of a login, nor in what the instances of its relay share", async () => {
  const canaries = flowCanaries();
  const { username, password, firstAnswer, firstKey, sessionKey } = canaries;
  const bank = await startService([
    asks("otp", firstKey.value, "A code, please"),
    { json: { status: "logged_in", key: sessionKey.value } },
  ]);
  const watching = watch(Object.values(canaries));
  const kept = new Map<string, string>();
  const see = (text: string) => {
    for (const part of text.split('"')) watching.see("storage", part);
  };
  const relay = createRelay({
    client: createProvingClient(bank, canaries, "apiKey"),
    sealKey: randomBytes(32).toString("base64"),
    claimStore: createMemoryClaimStore(),
    responseStore: { read: () => undefined, write: (_, text) => see(text) },
    allowedOrigins: [],
    checkAppToken: () => true,
    readUser: () => "ana",
    readCaller: () => "a phone",
    onLogin: () => undefined,
  });
  const client = createProvingClient({ url: "http://relay.test" }, canaries, "bearerToken", {
    fetch: (input, init) => relay(new Request(input, init)),
  });
  const open = () => {
    const keep = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => {
        kept.set(name, text);
        see(text);
      },
      removeItem: (name: string) => void kept.delete(name),
    };
    const actor = createLoginActor(client, {
      provider: "test",
      settings: { validate: false },
      keep,
      inspect: watching.inspect,
    });
    watching.actor(actor);
    onTestFinished(() => void actor.stop());
    return actor.start();
  };

  const first = open();
  first.send(submit(canaries));
  await waitFor(first, (snapshot) => snapshot.matches("awaitingInteraction"));
  first.stop();
  const second = open();
  await waitFor(second, (snapshot) => snapshot.matches("awaitingInteraction"));
  second.send({
    type: "interaction.answer",
    answer: { otp: secret(firstAnswer.value) },
    attemptId: crypto.randomUUID(),
  });
  await waitFor(second, (snapshot) => snapshot.matches("loggedIn"));

  const sent = sentTo(bank);
  for (const { token } of [username, password, firstAnswer, firstKey]) expect(sent).toContain(token);
  expect(watching.sightings("storage")).toBeGreaterThan(10);
  expect(watching.findings()).toEqual([]);
});
