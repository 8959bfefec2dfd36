import type { InteractionPrompt, Secret } from "../../../index.ts";
import type { ProgramContext } from "../command.ts";
import { createAnswerProgram } from "./answer-program.ts";
import type { KnownCredentials } from "./credentials-file.ts";

interface AnswerSources {
  readonly known: Pick<KnownCredentials, "answers" | "totp">;
  readonly command: string | undefined;
  readonly id?: string;
  readonly timeout: number;
  readonly program: ProgramContext;
}

// What banks call a one-time code.
const ONE_TIME = /^(otp|token|code|totp|sms)/;

/**
 * Answers each field of an interaction from the credentials, then with the command; `undefined` if neither can answer one of them. A
 * stored answer is used once in a login: if the bank asks again it was wrong, and banks lock accounts.
 */
export function createAutomaticAnswers({ known, command, id, timeout, program }: AnswerSources) {
  const run = command === undefined ? undefined : createAnswerProgram(command, program);
  const used = new Set<string>();
  const answerFromCredentials = (field: string): Secret | undefined => {
    if (used.has(field)) return undefined;
    used.add(field);
    if (Object.hasOwn(known.answers, field)) return known.answers[field];
    return known.totp && ONE_TIME.test(field) ? known.totp() : undefined;
  };
  return async (
    provider: string,
    interaction: InteractionPrompt,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, Secret>> | undefined> => {
    const answers: [string, Secret][] = [];
    for (const field of interaction.fields) {
      const request = { provider, interaction: { ...interaction, field }, signal, timeout };
      const answer = answerFromCredentials(field) ?? (await run?.({ ...request, ...(id !== undefined && { id }) }));
      if (!answer) return undefined;
      answers.push([field, answer]);
    }
    return Object.fromEntries(answers);
  };
}
