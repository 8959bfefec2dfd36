import { type LoginHandlers, type LoginState, loginView, type Secret } from "../../index.ts";
import { openInBrowser } from "../pages/open-browser.ts";
import { paint } from "../terminal/output.ts";
import { askChoice, askField, askWhether, isTerminal } from "../terminal/prompts.ts";
import { createAutomaticAnswers } from "./automatic-answers.ts";
import type { LoginSettings } from "./login-settings.ts";
import { withPictureFile } from "./picture-file.ts";
import type { PreparedLogin } from "./prepared-login.ts";

// What is shown while a request is under way.
const waits = {
  submitting: "submitting",
  "selectClient.listing": "listingClients",
  "selectClient.selecting": "selectingClient",
  replacingSession: "replacingSession",
} as const;

/** Answers a login of the command line from what was stored, then by the program, then by the person. Else it stays open. */
export function createLoginHandlers(
  { values, environment, service, known, client, timeout, spinner }: LoginSettings,
  { detail, consumeFile }: PreparedLogin,
): Pick<LoginHandlers, "detail" | "onInteraction" | "onSelectClient" | "onTransition"> {
  const { output } = service;
  const command = values["answer-command"];
  const isLeftOpen = () => values["pause-to"] !== undefined || !isTerminal();
  const answerAutomatically = createAutomaticAnswers({ known, command, timeout });
  const afterConsuming = async <Value>(value: Value): Promise<Value> => {
    await consumeFile();
    return value;
  };
  return {
    detail,
    async onInteraction(interaction, { signal, outcome }): Promise<Secret | typeof outcome | undefined> {
      const { provider, actor } = outcome;
      // A program may take its time: it may wait for a message to arrive.
      if (command !== undefined) spinner.show(output.text("answering"));
      const answer = await answerAutomatically(provider, interaction, signal).finally(() => spinner.clear());
      if (answer) return afterConsuming(answer);
      // A program that was asked and has nothing to say cancels, as a person does.
      if (command !== undefined) return undefined;
      if (isLeftOpen()) return outcome;
      const view = loginView(actor.getSnapshot(), actor.send, { provider, detail, locale: output.locale });
      if (view.step !== "answering") return undefined;
      const { question } = view;
      const { repeatText, text, field } = question;
      if (repeatText !== undefined) output.say(paint("yellow", repeatText));
      if (text) output.say(paint("bold", text));
      const ask = () => askField(field, { output, signal });
      const picture = question.kind === "picture" && question.picture;
      const typed = await (picture
        ? withPictureFile(picture, async (path) => {
            output.say(`${output.text("picture")} ${path}`);
            if (await askWhether(output.text("openPicture"), signal)) openInBrowser(path, environment);
            return ask();
          })
        : ask());
      return typed && afterConsuming(typed);
    },
    async onSelectClient(clients, { signal, outcome }): Promise<string | typeof outcome> {
      if (client !== undefined) return afterConsuming(client);
      if (isLeftOpen()) return outcome;
      const choices = clients.map(({ id, name }) => ({ value: id, label: name, hint: id }));
      return afterConsuming(await askChoice(output.text("chooseClient"), choices, { output, signal }));
    },
    onTransition(state: LoginState) {
      if (state in waits) spinner.show(output.text(waits[state as keyof typeof waits]));
      else spinner.clear();
    },
  };
}
