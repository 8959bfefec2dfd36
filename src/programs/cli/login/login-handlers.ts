import { findAnswerFault, toAnswer } from "../../../core/login/credentials.ts";
import type { LoginHandlers } from "../../../core/login/handlers.ts";
import { requestTexts } from "../../../core/login/login-state.ts";
import type { OpenOutcome } from "../../../core/login/outcome.ts";
import { formTexts } from "../../../core/texts/languages.ts";
import {
  type BankError,
  describeFailure,
  type LoginState,
  loginView,
  reveal,
  type Secret,
  secret,
} from "../../../index.ts";
import { openInBrowser } from "../local-pages.ts";
import { withPictureFile } from "../settings/private-files.ts";
import { paint } from "../terminal/output.ts";
import { createAutomaticAnswers } from "./automatic-answers.ts";
import type { LoginSettings } from "./login-settings.ts";
import type { PreparedLogin } from "./prepared-login.ts";

type Answers = Readonly<Record<string, Secret>>;

/** Answers a login from the credentials, then with the answer command, then by asking the person. Otherwise the login stays open. */
export function createLoginHandlers(
  settings: LoginSettings,
  { detail, consumeFile }: PreparedLogin,
): Required<Pick<LoginHandlers, "detail" | Extract<keyof LoginHandlers, `on${string}`>>> {
  const { values, program, service, known, client, timeout, spinner } = settings;
  const { output, prompts } = service;
  const command = values["answer-command"];
  const staysOpen = values["pause-to"] !== undefined || !prompts.isAvailable;
  const answerAutomatically = createAutomaticAnswers({ known, command, timeout, program });
  return {
    detail,
    async onInteraction(interaction, { signal, outcome }): Promise<Answers | typeof outcome | null> {
      // The program may wait for a message to arrive.
      if (command !== undefined) spinner.show(output.text("answering"));
      let answer = await answerAutomatically(outcome.provider, interaction, signal).finally(() => spinner.clear());
      // A program without an answer cancels the login, as a person does.
      if (!answer && command === undefined) {
        if (staysOpen) return outcome;
        const { context } = outcome.actor.getSnapshot();
        let fault: BankError | undefined;
        do {
          answer = await askPerson(outcome, settings, detail, signal, fault?.code === "invalid_input" ? answer : {});
          fault = answer && findAnswerFault(interaction, toAnswer(interaction, answer), context);
          if (fault) output.say(paint("yellow", describeFault(fault, output.locale)));
        } while (fault);
      }
      if (answer) await consumeFile();
      return answer ?? null;
    },
    async onSelectClient(clients, { signal, outcome }): Promise<string | typeof outcome> {
      if (client === undefined && staysOpen) return outcome;
      const choices = clients.map(({ id, name }) => ({ value: id, label: name, hint: id }));
      const chosen = client ?? (await prompts.choose(output.text("chooseClient"), choices, signal));
      await consumeFile();
      return chosen;
    },
    onTransition(state: LoginState) {
      if (state.state === "submitting") spinner.show(output.text(requestTexts[state.request]));
      else spinner.clear();
    },
  };
}

const describeFault = (fault: BankError, locale: string) =>
  fault.code === "answer_repeated" ? describeFailure(fault, locale).text : formTexts({ locale }).codeAlone;

/**
 * Asks the person for the answer; a picture is shown first.
 *
 * @param before what was answered before, with a message around the code: the person now sees the code.
 */
async function askPerson(
  { provider, actor }: OpenOutcome,
  { program, service: { output, prompts } }: LoginSettings,
  detail: PreparedLogin["detail"],
  signal: AbortSignal,
  before: Answers = {},
): Promise<Answers | undefined> {
  const view = loginView(actor.getSnapshot(), actor, { provider, detail, locale: output.locale });
  if (view.state !== "awaitingInteraction") return undefined;
  const { question } = view;
  const { repeatText, text } = question;
  if (repeatText !== undefined) output.say(paint("yellow", repeatText));
  if (text) output.say(paint("bold", text));
  const askFields = async () => {
    const answers: [string, Secret][] = [];
    for (const field of question.fields) {
      const message = before[field.name];
      const initial = message ? view.readPaste(field.name, reveal(message)) : field.initial;
      const typed = await prompts.askField({ ...field, initial }, { signal });
      const isConfirmed = question.kind === "confirmation" && !field.required;
      const answer = typed ?? (isConfirmed ? secret(question.answer) : undefined);
      if (!answer) return undefined;
      answers.push([field.name, answer]);
    }
    return Object.fromEntries(answers);
  };
  switch (question.kind) {
    case "picture": {
      const { picture } = question;
      if (!picture) return askFields();
      return withPictureFile(picture, async (path) => {
        output.say(`${output.text("picture")} ${path}`);
        if (await prompts.confirm(output.text("openPicture"), signal)) openInBrowser(path, program.environment);
        return askFields();
      });
    }
    case "choices":
    case "code":
    case "confirmation":
    case "question":
      return askFields();
    default:
      return question satisfies never;
  }
}
