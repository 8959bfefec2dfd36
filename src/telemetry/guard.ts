import { describeThrown } from "../api/errors.ts";

/** What `onLifecycle`, `inspectAll` and `traceLogins` take. */
export interface TelemetryOptions {
  /**
   * Told of what a listener throws, or rejects with: it never breaks a login. Default: a process warning that names the
   * error's class where there are process warnings (Node, Bun, Deno), `reportError` elsewhere.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A function that may throw as one that doesn't. */
export function guarded<Argument>(
  name: string,
  call: (argument: Argument) => unknown,
  onError?: TelemetryOptions["onError"],
): (argument: Argument) => void {
  const report = (error: unknown) => {
    try {
      if (onError) return onError(error);
    } catch {
      // Whoever can't be told of an error is passed over.
    }
    warn(name, error);
  };
  return (argument) => {
    try {
      const result = call(argument);
      // Left alone, a rejection ends the process.
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  };
}

function warn(name: string, error: unknown): void {
  // The class alone: a text may quote what it was thrown for.
  const warning = `${name}: a listener ${describeThrown(error)}. The login goes on; pass \`onError\` to see the error.`;
  if (typeof globalThis.process?.emitWarning === "function") {
    globalThis.process.emitWarning(warning, { type: "VentanillaWarning" });
  } else if (typeof globalThis.reportError === "function") globalThis.reportError(error);
  else
    setTimeout(() => {
      throw new Error(warning);
    });
}
