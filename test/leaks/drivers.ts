import {
  type BankClient,
  createLinkMachine,
  createLoginMachine,
  type LoginActor,
  type LoginOptions,
  type LoginSettings,
  login,
  readState,
  type Secret,
  secret,
} from "ventanilla";
import { type BatchJournal, type BatchRow, batch } from "ventanilla/batch";
import type { LoginEvent, loginMachine } from "ventanilla/machines/login";
import { onTestFinished } from "vitest";
import { createActor, type SnapshotFrom, waitFor } from "xstate";
import type { Interaction } from "../../machines/login.types.ts";

import type { Watch } from "./channels.ts";
import { type Canaries, submit, toForm } from "./flows.ts";

/** Logs in and answers every question. Resolves with the last state. */
export type Driver = (
  client: BankClient,
  canaries: Canaries,
  watching: Watch,
  settings: LoginSettings,
) => Promise<string>;

const findAnswer = ({ number }: Interaction, { firstAnswer, secondAnswer }: Canaries) =>
  (number === 1 ? firstAnswer : secondAnswer).value;

/** Sends the key to the bank. */
const sendKey = (client: BankClient, key: Secret | undefined) => key && client.listTransferDestinations(key);

const isSettled = (snapshot: SnapshotFrom<typeof loginMachine>): boolean =>
  snapshot.hasTag("over") && !snapshot.can({ type: "session.replace" });

/** Handlers that answer every question. */
const createAnswers = (
  canaries: Canaries,
  watching: Watch,
  settings: LoginSettings,
): Pick<LoginOptions, "onInteraction" | "onSelectClient"> => ({
  onInteraction: (...question) => {
    watching.see("handler", question);
    return findAnswer(question[0], canaries);
  },
  ...(settings.clientSelection && {
    onSelectClient: (...question) => {
      watching.see("handler", question);
      return "0";
    },
  }),
});

/** The headless login, with handlers or by its outcomes. */
const createHeadless =
  (style: "handlers" | "outcomes"): Driver =>
  async (client, canaries, watching, settings) => {
    let reached = "";
    const answers = createAnswers(canaries, watching, settings);
    try {
      let outcome = await login(client, toForm(canaries), {
        settings,
        ...(style === "handlers" ? answers : {}),
        onTransition: (state) => {
          reached = state.state;
          watching.see("handler", state);
        },
      });
      for (;;) {
        watching.see("outcome", outcome);
        if (outcome.state === "awaitingInteraction") {
          outcome = await outcome.answer(findAnswer(outcome.interaction, canaries));
        } else if (outcome.state === "selectClient" && outcome.clients) outcome = await outcome.choose("0");
        else break;
      }
      if ("key" in outcome) await sendKey(client, outcome.key);
    } catch (error) {
      watching.see("error", error);
    }
    return reached;
  };
export const headless = createHeadless("handlers");
export const conversation = createHeadless("outcomes");

/** A batch of one row. */
export const batched: Driver = async (client, canaries, watching, settings) => {
  let reached = "";
  const row: BatchRow = {
    ...toForm(canaries),
    settings,
    ...createAnswers(canaries, watching, settings),
    id: "user-7",
    onTransition: ({ state }) => {
      reached = state;
    },
  };
  const journal: BatchJournal = {
    begin(attempt) {
      watching.see("handler", attempt);
      return true;
    },
    end(result) {
      watching.see("outcome", result);
    },
  };
  for await (const result of batch(client, [row], { journal })) {
    watching.see("outcome", result);
    if (result.fault) watching.see("error", result.fault);
    else if ("key" in result.outcome) await sendKey(client, result.outcome.key);
  }
  return reached;
};

/** Responds as a person to each event that a login emits. */
function answerAll(child: Pick<LoginActor, "on">, canaries: Canaries, send: (event: LoginEvent) => void): void {
  child.on("interaction.required", ({ interaction }) =>
    send({ type: "interaction.answer", answer: { [interaction.field]: secret(findAnswer(interaction, canaries)) } }),
  );
  child.on("client.required", () => send({ type: "client.choose", client: "0" }));
  child.on("login.failed", () => send({ type: "session.replace" }));
}

/** The login statechart under inspection. */
export const loginStatechart: Driver = async (client, canaries, watching, settings) => {
  const actor = createActor(createLoginMachine(client), { input: settings, inspect: watching.inspect });
  onTestFinished(() => void actor.stop());
  watching.actor(actor);
  answerAll(actor, canaries, actor.send);
  actor.start();
  actor.send(submit(canaries));
  const end = await waitFor(actor, isSettled);
  watching.see("outcome", end.output);
  watching.see("statechart", actor.logic);
  await sendKey(client, end.context.key);
  // Ends the spans.
  actor.stop();
  return readState(end).state;
};

/** The link statechart under inspection, with the login within it. */
export const linkStatechart: Driver = async (client, canaries, watching, settings) => {
  const actor = createActor(createLinkMachine(client), {
    input: { ...settings, destinations: true },
    inspect: watching.inspect,
  });
  onTestFinished(() => void actor.stop());
  watching.actor(actor);
  actor.start();
  await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
  actor.send({ type: "provider.choose", provider: "test" });
  const { children } = await waitFor(actor, (snapshot) => snapshot.matches("loggingIn"));
  const child = children.login as NonNullable<typeof children.login>;
  answerAll(child, canaries, actor.send);
  actor.send(submit(canaries));
  const end = await waitFor(child, isSettled);
  if (end.matches("loggedIn")) await waitFor(actor, (snapshot) => snapshot.matches("linked"));
  else await sendKey(client, end.context.key);
  watching.see("outcome", actor.getSnapshot().output);
  watching.see("statechart", actor.logic);
  actor.stop();
  return readState(end).state;
};
