import { digestText } from "../../../core/api/digest.ts";
import type { RowLogin } from "../../../core/batch/batch-login.ts";
import type { BatchResult } from "../../../core/batch/index.ts";
import { toSettings } from "../../../core/login/login.ts";
import { BankError, type EndedOutcome, type InteractionPrompt } from "../../../index.ts";
import type { DurableLoginClient } from "../../../servers/restate/durable-client.ts";
import { createAutomaticAnswers } from "../login/automatic-answers.ts";
import { readErrorCode } from "../settings/private-files.ts";
import { loadPackage } from "../settings/stores.ts";
import { type BatchLogin, prepareLogin } from "./batch-input.ts";
import type { BatchLoginSettings } from "./batch-row.ts";

/** Opens the ingress of a Restate server. The user has to install the package. */
export async function openDurableLogins(
  ingress: string,
  sealKey: Parameters<
    typeof import("../../../servers/restate/durable-client.ts").createDurableLoginClient
  >[0]["sealKey"],
): Promise<DurableLoginClient> {
  await loadPackage("@restatedev/restate-sdk-clients", "--restate");
  const { createDurableLoginClient } = await import("../../../servers/restate/durable-client.ts");
  const logins = createDurableLoginClient({ ingress, sealKey });
  // The client retries its calls for half a minute. This request finds a wrong address before the first login.
  await fetch(`${ingress}/restate/health`).catch((error: { readonly cause?: unknown }) => {
    throw new BankError("network_failed", { field: "--restate", detail: readErrorCode(error.cause) });
  });
  return logins;
}

/** The name of a row's login. The attempt follows the last hyphen. */
async function toLoginName({ id, attempt }: Pick<BatchResult, "id" | "attempt">): Promise<string> {
  const name = /^[\w-]{1,48}$/.test(id) ? id : (await digestText(id)).slice(0, 48);
  return `${name}-${attempt}`;
}

/**
 * Logs in with durable logins that are named after their rows. Starting an existing login follows it, so each is sent once, however many processes send the
 * rows.
 */
export function createDurableRows(
  logins: DurableLoginClient,
  rows: readonly BatchLogin[],
  { program, command, timeout }: BatchLoginSettings,
) {
  const known = new Map(rows.map((row) => [row.id, row]));
  const left = new Set<string>();
  const unanswered = new Map<string, InteractionPrompt>();

  const logIn = async (...[credentials, options, row]: Parameters<RowLogin>): Promise<EndedOutcome> => {
    const login = known.get(row.id);
    if (!login) throw new BankError("unexpected_fault");
    const prepared = prepareLogin(login);
    const answer = createAutomaticAnswers({ known: prepared, command, id: row.id, timeout, program });
    const { signal = new AbortController().signal } = options;
    const id = await logins.start(
      { ...credentials, name: await toLoginName(row), settings: toSettings(options) },
      { signal },
    );
    for (;;) {
      const { over, failure, interaction, expiresAt, clients = [] } = await logins.settled(id, { signal });
      if (over) {
        if (failure) left.delete(row.id);
        return await logins.wait(id, { signal });
      }
      if (interaction) {
        const asking = signal.aborted ? signal : AbortSignal.any([signal, untilTime(expiresAt)]);
        const texts = await answer(prepared.provider, interaction, asking).catch(async (error: unknown) => {
          await logins.cancel(id);
          left.delete(row.id);
          throw error;
        });
        if (texts) await logins.answer(id, interaction, texts, { signal });
        else if (!asking.aborted) {
          unanswered.set(row.id, interaction);
          await logins.cancel(id, { signal });
        }
      } else await logins.choose(id, prepared.client ?? clients[0]?.id ?? "", { signal });
    }
  };

  return {
    /** Rejects with the fault of the login, or of a call of Restate: then the login continues. */
    async logIn(...login: Parameters<RowLogin>): Promise<EndedOutcome> {
      const [, , row] = login;
      left.add(row.id);
      try {
        const outcome = await logIn(...login);
        left.delete(row.id);
        return outcome;
      } catch (error) {
        // Its session's key has expired meanwhile.
        if (error instanceof BankError && error.detail === "expired") left.delete(row.id);
        throw error;
      }
    },
    /** Whether a login may still run, so that its result is not known yet. */
    isLeft: ({ id }: Pick<BatchResult, "id">) => left.has(id),
    /** The interaction that was not answered. */
    findUnanswered: ({ id }: Pick<BatchResult, "id">) => unanswered.get(id),
  };
}

const untilTime = (time = Number.POSITIVE_INFINITY) =>
  AbortSignal.timeout(Math.min(Math.max(0, time - Date.now()), 2 ** 31 - 1));
