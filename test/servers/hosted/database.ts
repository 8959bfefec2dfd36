import type { Store } from "ventanilla/tokens";
import type { Server } from "../../core/stores/servers.ts";

/** A store with its own connection, which reconnects automatically. */
export interface Connected {
  readonly store: Store;
  close(): Promise<unknown>;
}

export interface Database {
  start(): Promise<Server>;
  connect(server: Server): Promise<Connected>;
  /** Stops it without an end of its connections, until it is let. */
  pause(server: Server): Promise<() => unknown>;
}
