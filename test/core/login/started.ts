import { createCredentials, createLoginMachine, type LoginSettings, secret } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { onTestFinished } from "vitest";
import { createActor, waitFor } from "xstate";
import { type Line, type LoginCase, loginUnread, person, startService, toLogin } from "../../bank/service.ts";
import { readPosition } from "../../machines/position.ts";

export const credentials = createCredentials(person);
export const submit: LoginEvent = { type: "credentials.submit", credentials };
export const answer: LoginEvent = { type: "interaction.answer", answer: { otp: secret("8888") } };

// A script is that of the login alone, unless its test reads the fields first.
const unread = { validate: false };

/** A started actor of the login statechart, on a service with this script. */
export async function start(script: readonly Line[], settings: LoginSettings = {}) {
  const service = await startService(script);
  const actor = createActor(createLoginMachine(service.client()), { input: { ...unread, ...settings } });
  actor.start();
  onTestFinished(() => void actor.stop());
  const reaches = (state: string) => waitFor(actor, (snapshot) => readPosition(snapshot) === state);
  return { service, actor, reaches };
}

/** A headless login on a service with this script, under way. */
export async function logIn(script: readonly Line[], options: LoginCase = {}) {
  const service = await startService(script);
  return { service, outcome: loginUnread(service.client(), ...toLogin(options)) };
}
