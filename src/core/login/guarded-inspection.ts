import type { InspectionEvent } from "xstate";

/**
 * Wraps an inspect function that may throw. XState calls it in the middle of a step, and an exception there would leave the
 * login waiting forever.
 *
 * @param thrown gets the error. Default: it is thrown again in a microtask, like the error of an event listener.
 */
export function guardInspection(
  inspect: (event: InspectionEvent) => void,
  thrown: (error: unknown) => void = (error) =>
    queueMicrotask(() => {
      throw error;
    }),
): (event: InspectionEvent) => void {
  return (event) => {
    try {
      inspect(event);
    } catch (error) {
      thrown(error);
    }
  };
}
