import type { InspectionEvent } from "xstate";

/**
 * An inspect function that may throw. XState calls it in the middle of its steps, where a throw would leave the login
 * waiting for ever.
 *
 * @param thrown takes what it throws. Default: thrown again, by itself, as an event listener's error is.
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
