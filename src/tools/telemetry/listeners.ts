import { describeThrown } from "../../core/api/errors.ts";
import { type OptionParsers, optional, parseFunction } from "../../core/api/input-checks.ts";
import type { Inspect } from "../trace/traced-actors.ts";

export interface TelemetryOptions {
  /**
   * Gets what a listener throws, or rejects with: it never breaks a login. Default: once for each listener, a warning on the console
   * that names the error's class.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export const telemetryOptions = { onError: optional(parseFunction) } satisfies OptionParsers<TelemetryOptions>;

/** Wraps a listener so that it never throws. */
export function catchErrors<Argument>(
  name: string,
  call: (argument: Argument) => unknown,
  onError?: TelemetryOptions["onError"],
): (argument: Argument) => void {
  let isWarned = false;
  const report = (error: unknown) => {
    try {
      if (onError) return onError(error);
    } catch {
      // `onError` threw as well: the warning below remains.
    }
    // Once: a listener gets dozens of events of one login.
    if (!isWarned) warn(name, error);
    isWarned = true;
  };
  return (argument) => {
    try {
      const result = call(argument);
      // An unhandled rejection would end the process.
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  };
}

/**
 * Several inspect functions as one, in their order. If one throws, the others and the login continue;
 * its error is reported like a listener's.
 *
 * @example
 * login(client, credentials, { inspect: inspectAll(lifecycleTelemetry(count), traceTelemetry()) });
 */
export function inspectAll(...inspects: readonly (Inspect | undefined)[]): Inspect {
  const all = inspects.filter((inspect) => inspect !== undefined).map((inspect) => catchErrors("inspectAll", inspect));
  return (event) => {
    for (const inspect of all) inspect(event);
  };
}

function warn(name: string, error: unknown): void {
  const advice = name === "inspectAll" ? "." : "; pass `onError` to see the error.";
  // Only the class: the message may quote a value.
  // biome-ignore lint/suspicious/noConsole: a broken listener must be seen without `onError`.
  console.warn(`ventanilla: ${name}: a listener ${describeThrown(error)}. The login continues${advice}`);
}
