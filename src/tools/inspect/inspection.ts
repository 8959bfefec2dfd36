import {
  type OptionParsers,
  parseOptions,
  parseWholeNumber,
  unchecked,
  withDefault,
} from "../../core/api/input-checks.ts";
import { redactEvents } from "../trace/redact.ts";
import type { TraceEvent } from "../trace/trace-event.ts";
import type { Inspect } from "../trace/traced-actors.ts";

/** Where a run can be watched. */
export interface InspectionAddress {
  /** The page that shows it. In Node it contains a token: anyone who knows the address can watch. */
  readonly viewer: string;
  /** In Node, where a receiver of the Stately protocol connects: `createWebSocketReceiver({ server })`. */
  readonly server: string | undefined;
}

/**
 * The `inspect` option of `createActor`, `login()`, the adapters, `<bank-login>` and the command line. It redacts events before
 * anything else reads them, and its errors do not reach the login.
 */
export interface LoginInspection extends Inspect {
  /** Rejects with `invalid_input` if the port can't be used. You can ignore it: the login continues. */
  readonly address: Promise<InspectionAddress>;
  /** Ends the watching; later events are dropped. A second call has no effect. */
  stop(): void;
}

/** How to watch. Each platform uses its own options and ignores the others. */
export interface InspectOptions {
  /**
   * Node: the port of 127.0.0.1 to listen on.
   * @default 0, which takes a free port
   */
  readonly port?: number;
  /**
   * The most events kept for watchers who connect late, the oldest dropped first.
   * @default 1000
   */
  readonly history?: number;
  /**
   * Browser: the page that shows the run: the Stately inspector, or the offline viewer, whose address `ventanilla view` prints.
   * @default "https://stately.ai/inspect"
   */
  readonly url?: string;
  /** Browser: the frame to show it in. Default: a separate window. */
  readonly iframe?: { src: string; readonly contentWindow: unknown };
}

/** The options of the other platform are accepted for programs that run on both. */
const inspectOptions = {
  port: withDefault(0, parseWholeNumber),
  history: withDefault(1000, parseWholeNumber),
  url: unchecked,
  iframe: unchecked,
} satisfies OptionParsers<InspectOptions>;

export const parseInspectOptions = (options: InspectOptions) => parseOptions(options, inspectOptions);

/** An inspection that lasts until it is stopped. */
export function createInspection(
  show: (event: TraceEvent) => void,
  address: Promise<InspectionAddress>,
  stop: () => void,
): LoginInspection {
  let isStopped = false;
  const inspect = redactEvents((event) => {
    if (!isStopped) show(event);
  });
  return Object.assign(inspect, {
    address,
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      stop();
    },
  });
}
