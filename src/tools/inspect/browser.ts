import { createBrowserInspector, type StatelyInspectionEvent } from "@statelyai/inspect";
import { createInspection, type InspectOptions, type LoginInspection, parseInspectOptions } from "./inspection.ts";
import { toStatelyMessage } from "./stately-protocol.ts";

export type { TraceEvent } from "../trace/trace-event.ts";
export { inspectRecording, type LoginRecording, type RecordingOptions, type Trace } from "./inspect-recording.ts";
export type { InspectOptions, LoginInspection } from "./inspection.ts";

const STATELY = "https://stately.ai/inspect";

/**
 * Lets a login or link in a page be watched: opens the Stately inspector, or the offline viewer if `url` names it. Call
 * it in the handler of a click, otherwise the browser blocks the window as a pop-up. Ends with `stop()` or with the page.
 *
 * @throws {BankError} `invalid_input` for an unknown option, and a `history` that is not an integer.
 * @example
 * button.onclick = () => { element.inspect = inspectLogin({ url: "http://127.0.0.1:4111/…/" }); };
 */
export function inspectLogin(options: InspectOptions = {}): LoginInspection {
  const { url = STATELY, iframe, history } = parseInspectOptions(options);
  const adapter = createAdapter(url, history, iframe);
  return createInspection(
    // Sent directly, because the library would read the events itself.
    (event) => adapter?.send(toStatelyMessage(event) as StatelyInspectionEvent),
    Promise.resolve({ viewer: url, server: undefined }),
    () => adapter?.stop(),
  );
}

function createAdapter(url: string, history: number, iframe: object | undefined) {
  // There is no window in a worker, or while a server renders the page.
  if (typeof window === "undefined") return undefined;
  return createBrowserInspector({
    url,
    maxDeferredEvents: history,
    // The messages are plain data. The default would cut off the definition.
    serialize: (message) => message,
    ...(iframe && { iframe: iframe as HTMLIFrameElement }),
  }).adapter;
}
