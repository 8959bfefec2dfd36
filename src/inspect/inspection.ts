import type { InspectionEvent } from "xstate";
import type { Moment } from "./moment.ts";
import { redactor } from "./redact.ts";

/** Where a run can be watched. */
export interface InspectionAddress {
  /** The page that shows it. In Node it holds a token: whoever knows the address can watch. */
  readonly viewer: string;
  /** In Node, where a receiver of the Stately protocol connects: `createWebSocketReceiver({ server })`. */
  readonly server: string | undefined;
}

/**
 * The `inspect` option of `createActor`, `login()`, the adapters, `<bank-login>` and the command line. It redacts before
 * anything else sees an event, and nothing that goes wrong in it reaches the login.
 */
export interface LoginInspection {
  (event: InspectionEvent): void;
  /** Rejects with `invalid_input` where the port can't be had; nobody has to wait for it, and the login goes on. */
  readonly address: Promise<InspectionAddress>;
  /** Ends the watching; what is inspected later is dropped. Twice does no harm. */
  stop(): void;
}

/** How to watch. Each half takes what concerns it and leaves the rest. */
export interface InspectOptions {
  /**
   * Node: the port of 127.0.0.1 to listen on.
   * @default 0, which takes a free port
   */
  readonly port?: number;
  /**
   * The most moments kept for who comes late to watch, the oldest dropped first.
   * @default 1000
   */
  readonly history?: number;
  /** Node: the origins of pages elsewhere that may watch. Default none but the viewer that is served here. */
  readonly origins?: readonly string[];
  /**
   * Browser: the page that shows the run: the Stately inspector, or the viewer of `serveViewer`.
   * @default "https://stately.ai/inspect"
   */
  readonly url?: string;
  /** Browser: the frame to show it in. Default: a window of its own. */
  readonly iframe?: { src: string; readonly contentWindow: unknown };
}

/** Takes inspection events, and shows what may be told of them. */
export function redacting(show: (moment: Moment) => void): (event: InspectionEvent) => void {
  const redacted = redactor();
  return (event) => {
    try {
      const moment = redacted(event);
      if (moment) show(moment);
    } catch {
      // Whatever goes wrong in watching is no concern of the login.
    }
  };
}

/** An inspection that lasts until it is stopped. */
export function inspectionOf(
  show: (moment: Moment) => void,
  address: Promise<InspectionAddress>,
  stop: () => void,
): LoginInspection {
  let isOver = false;
  const inspect = redacting((moment) => {
    if (!isOver) show(moment);
  });
  return Object.assign(inspect, {
    address,
    stop: () => {
      if (isOver) return;
      isOver = true;
      stop();
    },
  });
}
