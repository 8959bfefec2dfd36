import { type LoginActor, type ProviderDetail, pause, type Secret } from "../../index.ts";
import { writePrivate } from "../settings/files.ts";
import { type Output, paint } from "../terminal/output.ts";
import { askChoice, askField, askWhether, isTerminal } from "../terminal/prompts.ts";
import type { Spinner } from "../terminal/spinner.ts";
import { answersFrom } from "./answers.ts";
import { fillIn } from "./credentials.ts";
import type { KnownCredentials } from "./credentials-file.ts";
import type { Respondent } from "./run.ts";

export interface RespondentOptions {
  readonly actor: LoginActor;
  readonly known: KnownCredentials;
  /** The bank's form; `undefined` for a login that is taken up. */
  readonly detail: ProviderDetail | undefined;
  readonly command: string | undefined;
  readonly client: string | undefined;
  /** Where a login that nothing here answers is sealed to. */
  readonly pausing: { readonly path: string; readonly sealKey: Secret } | undefined;
  readonly provider: string;
  /** Milliseconds to answer. */
  readonly timeout: number;
  readonly output: Output;
  readonly spinner: Spinner;
  /** Uses a resumed login's file up; called before the first answer is sent. */
  readonly take: () => Promise<void>;
  /** Uses it up once the login was written to another file. */
  readonly replace: (path: string) => Promise<void>;
}

/** Who answers a login of the command line: what was stored, then the program, then a pause, then the person. */
export function respondentOf(options: RespondentOptions): Respondent {
  const { actor, known, detail, command, client, pausing, provider, timeout, output, spinner } = options;
  const automatic = answersFrom({ known, command, provider, timeout });
  let isTaken = false;
  const taken = async <Value>(value: Value): Promise<Value> => {
    if (!isTaken) await options.take();
    isTaken = true;
    return value;
  };
  return {
    async answer(interaction, question, signal) {
      // A program may take its time: it may wait for a message to arrive.
      if (command !== undefined) spinner.show(output.text("answering"));
      const answer = await automatic(interaction, signal).finally(() => spinner.clear());
      if (answer) return taken(answer);
      // A program that was asked and has nothing to say cancels, as a person does.
      if (command !== undefined) return undefined;
      if (pausing) return "pause";
      if (!isTerminal()) return "leave";
      if (question.repeatText !== undefined) output.say(paint("yellow", question.repeatText));
      if (question.text) output.say(paint("bold", question.text));
      const typed = await askField(question.field, { output, signal });
      return typed && taken(typed);
    },
    async choose(clients, signal) {
      if (client !== undefined) return taken({ id: client });
      if (pausing) return "pause";
      if (!isTerminal()) return "leave";
      const choices = clients.map(({ id, name }) => ({ value: id, label: name, hint: id }));
      return taken({ id: await askChoice(output.text("chooseClient"), choices, { output, signal }) });
    },
    async tryAgain(text, signal) {
      // What was stored is wrong as it stands, and nobody types it in anew.
      if (!detail || output.json || !isTerminal() || known.password) return undefined;
      output.say(paint("yellow", text));
      if (!(await askWhether(output.text("tryAgain"), signal))) return undefined;
      const filled = await fillIn(provider, detail, known, { output, signal });
      return "missing" in filled ? undefined : filled;
    },
    async pause() {
      if (!pausing) return;
      const token = await pause(actor, { key: pausing.sealKey, expiresIn: timeout });
      await writePrivate("--pause-to", pausing.path, `${token}\n`);
      // One login, one file: what it was taken up from is used up, unless an answer did that already.
      if (!isTaken) await options.replace(pausing.path);
    },
  };
}
