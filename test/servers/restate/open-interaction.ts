import type { CredentialTexts, EndedOutcome, HandlerContext, LoginOptions } from "ventanilla";
import type { DurableCallOptions, DurableLoginClient } from "ventanilla/restate";
import { toSettings } from "../../../src/core/login/login.ts";

/** The interaction that a durable login waits for, once it does. */
export async function openInteraction(logins: DurableLoginClient, id: string) {
  const { interaction, state } = await logins.settled(id);
  if (!interaction) throw new Error(`It is ${state}.`);
  return { id, interaction, answer: (text: string) => logins.answer(id, interaction, text) };
}

/** Logs in as `login()` does. */
export async function logInDurably(
  logins: DurableLoginClient,
  credentials: CredentialTexts,
  options: LoginOptions,
  call: DurableCallOptions = {},
): Promise<EndedOutcome> {
  const { onInteraction, onSelectClient } = options;
  const id = await logins.start({ ...credentials, settings: toSettings(options) }, call);
  const ended = logins.wait(id, call);
  ended.catch(() => {});
  for (;;) {
    const { over, interaction, clients = [] } = await logins.settled(id, call);
    if (over) return ended;
    // The handlers of these tests read what is asked alone.
    const context = {} as HandlerContext<never>;
    const asking = interaction ? onInteraction?.(interaction, context) : onSelectClient?.(clients, context);
    const answer = await Promise.race([asking, ended]);
    if (typeof answer === "object" && answer !== null && "state" in answer) continue;
    if (answer == null) await logins.cancel(id, call);
    else if (interaction) await logins.answer(id, interaction, answer as string, call);
    else await logins.choose(id, answer as string, call);
  }
}
