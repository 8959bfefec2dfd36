import { createCredentials, reveal, secret } from "ventanilla";
import type { AnswerRequest, CredentialsRequest, SubmitOutput } from "ventanilla/machines/login";
import { loginMachine } from "ventanilla/machines/login";
import { createActor, fromPromise, waitFor } from "xstate";

// Only these slots: this login has no choice of client, and its fields are not checked. An empty one ends in `handler_failed`, with its name.
const machine = loginMachine.provide({
  actors: {
    // Here your own requests go out, and nothing else opens a secret.
    submitCredentials: fromPromise<SubmitOutput, CredentialsRequest>(async ({ input: { credentials } }) => {
      if (!credentials) return { status: "refused", failure: { kind: "outcome", code: "wrong_credentials" } };
      return { status: "interaction_required", field: "colour", context: "Which colour?", key: secret("key-1") };
    }),
    submitAnswer: fromPromise<SubmitOutput, AnswerRequest>(async ({ input: { answer } }) => {
      const colour = answer?.["colour"];
      if (colour && reveal(colour) === "blue") return { status: "logged_in", key: secret("key-2") };
      return { status: "refused", failure: { kind: "outcome", code: "wrong_answer" } };
    }),
    // The time to answer: here it never ends.
    waitUntil: fromPromise<void, { readonly time: number | undefined }>(() => new Promise(() => {})),
  },
});

const actor = createActor(machine, { input: { validate: false } }).start();
const credentials = createCredentials({ provider: "river", username: "ana", password: "1234" });
actor.send({ type: "credentials.submit", credentials });
const asked = await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
console.log(asked.context.interaction?.context);
actor.send({ type: "interaction.answer", answer: { colour: secret("blue") } });
const { output } = await waitFor(actor, (snapshot) => snapshot.status === "done");
console.log(output);
