import { guarded } from "./guard.ts";
import type { Inspect } from "./statechart.ts";

/**
 * Several inspect functions as one, in their order. One that throws does not keep the others, nor the login, from going on;
 * what it throws is reported like that of a listener.
 *
 * @example
 * login(client, { ...options, inspect: inspectAll(onLifecycle(count), traceLogins()) });
 */
export function inspectAll(...inspects: readonly (Inspect | undefined)[]): Inspect {
  const all = inspects.filter((inspect) => inspect !== undefined).map((inspect) => guarded("inspectAll", inspect));
  return (event) => {
    for (const inspect of all) inspect(event);
  };
}
