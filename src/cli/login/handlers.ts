import { type LoginHandlers, type LoginState, loginView, type ProviderDetail, type Secret } from "../../index.ts";
import { openInBrowser } from "../pages/browser.ts";
import type { Output } from "../terminal/output.ts";
import { paint } from "../terminal/output.ts";
import { askChoice, askField, askWhether, isTerminal } from "../terminal/prompts.ts";
import type { Spinner } from "../terminal/spinner.ts";
import { answersFrom } from "./answers.ts";
import type { KnownCredentials } from "./credentials-file.ts";
import { withPictureFile } from "./picture-file.ts";

export interface HandlerOptions {
  readonly known: KnownCredentials;
  /** The bank's form; `undefined` for a login that is taken up. */
  readonly detail: ProviderDetail | undefined;
  readonly command: string | undefined;
  readonly client: string | undefined;
  /** Whether a question that nothing here answers is left open, to be paused. */
  readonly isPausing: boolean;
  /** Milliseconds to answer. */
  readonly timeout: number;
  readonly output: Output;
  readonly spinner: Spinner;
  readonly environment: NodeJS.ProcessEnv;
  /** Uses a resumed login's file up; called before each answer is sent. */
  readonly take: () => Promise<void>;
}

// What is shown while a request is under way.
const waits = {
  submitting: "submitting",
  "selectClient.listing": "listingClients",
  "selectClient.selecting": "selectingClient",
  replacingSession: "replacingSession",
} as const;

/** Who answers a login of the command line: what was stored, then the program, then the person. Else it stays open. */
export function handlersOf(
  options: HandlerOptions,
): Pick<LoginHandlers, "detail" | "onInteraction" | "onSelectClient" | "onTransition"> {
  const { known, detail, command, client, isPausing, timeout, output, spinner, environment, take } = options;
  const automatic = answersFrom({ known, command, timeout });
  const taken = async <Value>(value: Value): Promise<Value> => {
    await take();
    return value;
  };
  return {
    detail,
    async onInteraction(interaction, { signal, outcome }): Promise<Secret | typeof outcome | undefined> {
      const { provider, actor } = outcome;
      // A program may take its time: it may wait for a message to arrive.
      if (command !== undefined) spinner.show(output.text("answering"));
      const answer = await automatic(provider, interaction, signal).finally(() => spinner.clear());
      if (answer) return taken(answer);
      // A program that was asked and has nothing to say cancels, as a person does.
      if (command !== undefined) return undefined;
      if (isPausing || !isTerminal()) return outcome;
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
      return typed && taken(typed);
    },
    async onSelectClient(clients, { signal, outcome }): Promise<string | typeof outcome> {
      if (client !== undefined) return taken(client);
      if (isPausing || !isTerminal()) return outcome;
      const choices = clients.map(({ id, name }) => ({ value: id, label: name, hint: id }));
      return taken(await askChoice(output.text("chooseClient"), choices, { output, signal }));
    },
    onTransition(state: LoginState) {
      if (state in waits) spinner.show(output.text(waits[state as keyof typeof waits]));
      else spinner.clear();
    },
  };
}
