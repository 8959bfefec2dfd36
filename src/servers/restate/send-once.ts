import { type ObjectSharedContext, TerminalError } from "@restatedev/restate-sdk";
import { toBankError, toFailure, wrapThrown } from "../../core/api/errors.ts";
import type { Failure } from "../../core/api/failures.ts";

/** The result of a request in the journal: plain data, every secret in it sealed. */
type Result<Reply> = { readonly reply: Reply } | { readonly fault: Failure };

/** Sends a request. Its reply is written to the journal. */
export type Send<Reply> = (signal: AbortSignal) => Promise<Reply>;

interface UnderWay {
  readonly result: Promise<Result<unknown>>;
  readonly controller: AbortController;
  readonly timer: ReturnType<typeof setTimeout>;
}

// The requests of this process whose results Restate does not have yet, by their intents. A retry in this process takes
// the result over. In another process, or after this one was killed, a retry knows only that the request may have been sent.
const underWay = new Map<string, UnderWay>();
const RESULT_LIFETIME = 600_000;

/**
 * Sends a request that must not be sent twice. The intent is in the journal before the send begins, because `run` resolves
 * only after Restate has stored it; an attempt that finds the intent of another one does not send.
 *
 * @throws {BankError} the request's fault; `outcome_unknown` if the process of an earlier attempt was lost.
 */
export async function sendOnce<Reply>(ctx: ObjectSharedContext, request: string, send: Send<Reply>): Promise<Reply> {
  const own: string = crypto.randomUUID();
  const intent = await ctx.run(`intent: ${request}`, () => own);
  try {
    const result = await ctx.run(request, async (): Promise<Result<Reply>> => {
      const begun = underWay.get(intent);
      if (begun) return begun.result as Promise<Result<Reply>>;
      if (intent !== own) return { fault: { kind: "fault", code: "outcome_unknown", request } };
      return begin(intent, send);
    });
    forget(intent);
    return unwrapResult(result);
  } catch (error) {
    // Cancelled: no attempt follows. After any other error the next attempt takes the result over.
    if (error instanceof TerminalError) {
      underWay.get(intent)?.controller.abort();
      forget(intent);
    }
    throw error;
  }
}

/** Sends a request that may be repeated: a read. */
export async function sendRepeatable<Reply>(
  ctx: ObjectSharedContext,
  request: string,
  send: Send<Reply>,
): Promise<Reply> {
  const controller = new AbortController();
  try {
    return unwrapResult(await ctx.run(request, () => toResult(send, controller.signal)));
  } catch (error) {
    controller.abort();
    throw error;
  }
}

function begin<Reply>(intent: string, send: Send<Reply>): Promise<Result<Reply>> {
  const controller = new AbortController();
  const result = toResult(send, controller.signal);
  const timer = setTimeout(forget, RESULT_LIFETIME, intent);
  timer.unref?.();
  underWay.set(intent, { result, controller, timer });
  return result;
}

function forget(intent: string): void {
  clearTimeout(underWay.get(intent)?.timer);
  underWay.delete(intent);
}

async function toResult<Reply>(send: Send<Reply>, signal: AbortSignal): Promise<Result<Reply>> {
  try {
    return { reply: await send(signal) };
  } catch (error) {
    // Restate would repeat a thrown error.
    return { fault: toFailure(wrapThrown(error)) };
  }
}

function unwrapResult<Reply>(result: Result<Reply>): Reply {
  if ("fault" in result) throw toBankError(result.fault);
  return result.reply;
}
