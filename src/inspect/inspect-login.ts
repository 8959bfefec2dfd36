import { parseWholeNumber } from "../api/options.ts";
import { type InspectOptions, inspectionOf, type LoginInspection } from "./inspection.ts";
import { openWatching } from "./watching.ts";

/**
 * Lets a login or link in Node be watched, in the viewer that it serves or by any receiver of the Stately protocol, on this
 * machine only. It ends with `stop()` or with the process, which it never keeps alive.
 *
 * @throws {InputError} `invalid_input` for a `port` or `history` that is no whole number.
 * @example
 * const inspect = inspectLogin();
 * console.error("Watch at", (await inspect.address).viewer);
 * await login(client, { ...options, inspect });
 * inspect.stop();
 */
export function inspectLogin({ port = 0, history = 1000, origins = [] }: InspectOptions = {}): LoginInspection {
  const watching = openWatching({
    port: parseWholeNumber("port", port),
    history: parseWholeNumber("history", history),
    origins,
  });
  const address = watching.address.then(({ origin, token }) => ({
    viewer: `${origin}/${token}/#watch`,
    server: `${origin.replace("http", "ws")}/${token}`,
  }));
  // Where nobody can watch, the login goes on.
  address.catch(() => {});
  return inspectionOf(watching.show, address, watching.stop);
}
