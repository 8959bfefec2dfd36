import { callCallbackInTime } from "../../core/api/callbacks.ts";
import { wrapThrown } from "../../core/api/errors.ts";
import { reportError } from "../relay/relay-events.ts";
import type { HostedProgress, HostedSettings } from "./hosted-options.ts";
import { describe, type Session } from "./session-row.ts";

export type SessionProgress = ReturnType<typeof createSessionProgress>;

/** Calls `onProgress` with the steps of sessions. It is not awaited, and it is called once, by the instance that has recorded the step. */
export function createSessionProgress(settings: Pick<HostedSettings, "onProgress" | "onError">) {
  const calls = new Set<Promise<void>>();
  return {
    notify(session: Session, step: Pick<HostedProgress, "type" | "provider" | "number" | "failure">): void {
      const { onProgress } = settings;
      if (!onProgress) return;
      const { loggedInAt: _, lastStep: __, failure, ...known } = describe(session);
      const { id } = session;
      const call = callCallbackInTime("onProgress", () => onProgress({ ...known, ...step }))
        .then(
          () => undefined,
          (error: unknown) => reportError(settings, wrapThrown(error), { id, session: id }),
        )
        .finally(() => calls.delete(call));
      calls.add(call);
    },

    /** Waits for each call that was begun. */
    async finish(): Promise<void> {
      await Promise.all(calls);
    },
  };
}
