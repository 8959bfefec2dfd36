import type { AskedInteraction, Secret } from "../../../index.ts";
import type { ProgramContext } from "../command.ts";
import { createAnswerProgram } from "./answer-program.ts";
import type { KnownCredentials } from "./credentials-file.ts";

interface AnswerSources {
  readonly known: Pick<KnownCredentials, "answers" | "totp">;
  readonly command: string | undefined;
  readonly id?: string;
  /** Milliseconds for the command. */
  readonly timeout: number;
  readonly program: ProgramContext;
}

// What banks call a one-time code.
const ONE_TIME = /^(otp|token|code|totp|sms)/;

/**
 * Answers an interaction from the credentials, then with the command; `undefined` if neither can. A stored answer is used once in a
 * login: if the bank asks again it was wrong, and banks lock accounts.
 */
export function createAutomaticAnswers({ known, command, id, timeout, program }: AnswerSources) {
  const run = command === undefined ? undefined : createAnswerProgram(command, program);
  const used = new Set<string>();
  return async (provider: string, interaction: AskedInteraction, signal: AbortSignal): Promise<Secret | undefined> => {
    const { field } = interaction;
    if (!used.has(field)) {
      used.add(field);
      if (Object.hasOwn(known.answers, field)) return known.answers[field];
      if (known.totp && ONE_TIME.test(field)) return known.totp();
    }
    return run?.({ provider, interaction, signal, timeout, ...(id !== undefined && { id }) });
  };
}
