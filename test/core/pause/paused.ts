import {
  type BankClient,
  BankError,
  type CredentialTexts,
  createCredentials,
  type LoginActor,
  type LoginSettings,
  type ResumeOptions,
  resume,
} from "ventanilla";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, onTestFinished } from "vitest";
import { waitFor } from "xstate";
import { type Line, person, type Service } from "../../bank/service.ts";
import { readPosition } from "../../machines/position.ts";
import { start } from "../login/started.ts";

// 32 bytes in base64, with `+` and `/`, which base64url writes as other characters.
export const KEY = "z8p+Zb7/Rk2bqvN0sXyM1t4uW9eQ3hGdJfLaKcVoTiE=";
export const OTHER_KEY = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1Y=";

/** A login on a service with this script, as soon as it waits for an answer or a choice. */
export async function waiting(script: readonly Line[], settings: LoginSettings = {}, form: CredentialTexts = person) {
  const login = await start(script, settings);
  login.actor.send({ type: "credentials.submit", credentials: createCredentials(form) });
  await waitFor(login.actor, (snapshot) =>
    ["awaitingInteraction", "selectClient.choosing"].includes(readPosition(snapshot)),
  );
  return login;
}

/** Resumes a login as another process would: with its own client, the token and the key. */
export async function takeUp(service: Service, token: string, options: Partial<ResumeOptions> = {}) {
  const actors: LoginActor[] = [];
  const outcome = await resume(service.client(), token, {
    key: KEY,
    claimStore: createMemoryStore({ rows: new Map() }),
    inspect: ({ actorRef }) => actors.push(actorRef as LoginActor),
    ...options,
  });
  const actor = actors[0] as LoginActor;
  onTestFinished(() => void actor.stop());
  const reaches = (state: string) => waitFor(actor, (snapshot) => readPosition(snapshot) === state);
  return { outcome, actor, reaches };
}

/** The reason of a rejected promise. */
export const readFailure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "nothing was refused",
    (error: unknown) => error,
  );

/** The code of the token's error of a rejected promise. The error must have no other details. */
export async function readTokenCode(promise: Promise<unknown>): Promise<unknown> {
  const error = await readFailure(promise);
  if (!(error instanceof BankError && error.code.startsWith("token_"))) return error;
  expect({ ...error, name: error.name, message: error.message }).toEqual({
    name: "BankError",
    message: error.detail === undefined ? error.code : `${error.code}: ${error.detail}`,
    code: error.code,
    ...(error.detail !== undefined && { detail: error.detail }),
  });
  expect(error.cause).toBeUndefined();
  return error.detail ?? error.code;
}

/** The code of the error of a token that can't be resumed. */
export const codeFor = (client: BankClient, token: string, options: Partial<ResumeOptions> = {}) =>
  readTokenCode(resume(client, token, { key: KEY, ...options }));
