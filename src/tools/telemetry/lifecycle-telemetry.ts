import type { Inspect } from "../trace/traced-actors.ts";
import type { LifecycleEvent } from "./lifecycle-event.ts";
import { watchLogins } from "./lifecycle-watcher.ts";
import { catchErrors, type TelemetryOptions } from "./listeners.ts";

/**
 * Reports what happens to logins, wherever they run: the function it gives is the `inspect` of `login()`, `resume()`,
 * `createActor`, the adapters and the command line. One function can watch any number of logins at once, and those within
 * link flows. Not part of the contract.
 *
 * @param listener called at once, in the order of what happens. What it throws does not reach the login: see `onError`.
 * @example
 * await login(client, credentials, { inspect: lifecycleTelemetry(({ type, provider, code }) => count(type, provider, code)) });
 */
export function lifecycleTelemetry(
  listener: (event: LifecycleEvent) => void,
  { onError }: TelemetryOptions = {},
): Inspect {
  return catchErrors(
    "lifecycleTelemetry",
    watchLogins({ emit: catchErrors("lifecycleTelemetry", listener, onError) }),
    onError,
  );
}
