import {
  type BankClient,
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  type Interaction,
  type LoginSettings,
  login,
  readState,
  type Secret,
  secret,
} from "ventanilla";
import type { loginMachine } from "ventanilla/machines/login";
import { onTestFinished } from "vitest";
import { createActor, type SnapshotFrom, waitFor } from "xstate";
import type { Watch } from "./channels.ts";
import type { Canaries } from "./flows.ts";

/** A way to log in, with somebody who answers every question. Resolves with the state that was reached. */
export type Driver = (
  client: BankClient,
  canaries: Canaries,
  watching: Watch,
  settings: LoginSettings,
) => Promise<string>;

const credentialsIn = ({ username, password, companyCode }: Canaries) => ({
  provider: "test",
  username: username.value,
  password: password.value,
  fields: { company_code: companyCode.value },
});

const answerTo = ({ number }: Interaction, { firstAnswer, secondAnswer }: Canaries) =>
  (number === 1 ? firstAnswer : secondAnswer).value;

/** Uses the key, so that it crosses the wire as well. */
const spend = (client: BankClient, key: Secret | undefined) => key && client.listTransferDestinations(key);

const isSettled = (snapshot: SnapshotFrom<typeof loginMachine>): boolean =>
  ["loggedIn", "selectClient.resting", "failed"].includes(readState(snapshot)) &&
  !snapshot.can({ type: "session.replace" });

/** The headless login. */
export const headless: Driver = async (client, canaries, watching, settings) => {
  let reached = "";
  try {
    const outcome = await login(client, {
      ...credentialsIn(canaries),
      ...(settings.clientSelection && {
        onSelectClient: (...question) => {
          watching.see("handler", question);
          return "0";
        },
      }),
      ...(settings.interactionLimit !== undefined && { interactionLimit: settings.interactionLimit }),
      sessionReplacement: settings.sessionReplacement === true,
      onInteraction: (...question) => {
        watching.see("handler", question);
        return answerTo(question[0], canaries);
      },
      onTransition: (state) => {
        reached = state;
        watching.see("handler", state);
      },
    });
    watching.see("outcome", outcome);
    if ("key" in outcome) await spend(client, outcome.key);
  } catch (error) {
    watching.see("error", error);
  }
  return reached;
};

/** The headless login by its outcomes, without a handler. */
export const conversation: Driver = async (client, canaries, watching, settings) => {
  let reached = "";
  try {
    let outcome = await login(client, {
      ...credentialsIn(canaries),
      ...(settings.clientSelection && { clientSelection: true }),
      ...(settings.interactionLimit !== undefined && { interactionLimit: settings.interactionLimit }),
      sessionReplacement: settings.sessionReplacement === true,
      onTransition: (state) => {
        reached = state;
      },
    });
    for (;;) {
      watching.see("outcome", outcome);
      if (outcome.status === "interaction_required") {
        outcome = await outcome.answer(answerTo(outcome.interaction, canaries));
      } else if (outcome.status === "select_client" && outcome.clients) outcome = await outcome.choose("0");
      else break;
    }
    if ("key" in outcome) await spend(client, outcome.key);
  } catch (error) {
    watching.see("error", error);
  }
  return reached;
};

/** The login statechart under inspection. */
export const loginStatechart: Driver = async (client, canaries, watching, settings) => {
  const actor = createActor(createLoginMachine(client), { input: settings, inspect: watching.inspect });
  onTestFinished(() => void actor.stop());
  watching.actor(actor);
  actor.on("interaction.required", ({ interaction }) =>
    actor.send({ type: "interaction.answer", answer: secret(answerTo(interaction, canaries)) }),
  );
  actor.on("client.required", () => actor.send({ type: "client.choose", client: "0" }));
  actor.on("login.failed", () => actor.send({ type: "session.replace" }));
  actor.start();
  actor.send({ type: "credentials.submit", credentials: createCredentials(credentialsIn(canaries)) });
  const end = await waitFor(actor, isSettled);
  watching.see("outcome", end.output);
  watching.see("statechart", actor.logic);
  await spend(client, end.context.key);
  return readState(end);
};

/** The link statechart under inspection, with the login within it. */
export const linkStatechart: Driver = async (client, canaries, watching, settings) => {
  const actor = createActor(createLinkMachine(client), { input: settings, inspect: watching.inspect });
  onTestFinished(() => void actor.stop());
  watching.actor(actor);
  actor.start();
  await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
  actor.send({ type: "provider.choose", provider: "test" });
  const { children } = await waitFor(actor, (snapshot) => snapshot.matches("loggingIn"));
  const child = children.login as NonNullable<typeof children.login>;
  child.on("interaction.required", ({ interaction }) =>
    actor.send({ type: "interaction.answer", answer: secret(answerTo(interaction, canaries)) }),
  );
  child.on("client.required", () => actor.send({ type: "client.choose", client: "0" }));
  child.on("login.failed", () => actor.send({ type: "session.replace" }));
  actor.send({ type: "credentials.submit", credentials: createCredentials(credentialsIn(canaries)) });
  const end = await waitFor(child, isSettled);
  if (readState(end) === "loggedIn") await waitFor(actor, (snapshot) => snapshot.matches("linked"));
  else await spend(client, end.context.key);
  watching.see("outcome", actor.getSnapshot().output);
  watching.see("statechart", actor.logic);
  return readState(end);
};
