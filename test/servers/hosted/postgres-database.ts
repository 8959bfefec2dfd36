import { createPostgresStore } from "ventanilla/tokens";
import { createPool, postgres as kind } from "../../core/stores/connections.ts";
import { startPostgres } from "../../core/stores/servers.ts";
import type { Database } from "./database.ts";

export const postgres: Database = {
  async start() {
    const server = await startPostgres();
    await kind.prepare?.(server);
    return server;
  },
  async connect(server) {
    const pool = createPool(server);
    pool.on("error", () => undefined);
    return { store: createPostgresStore(pool), close: () => pool.end() };
  },
  // Its processes are many. Behind a lock all of them wait.
  async pause(server) {
    const pool = createPool(server);
    const client = await pool.connect();
    await client.query("BEGIN; LOCK TABLE ventanilla_records IN ACCESS EXCLUSIVE MODE");
    return async () => {
      await client.query("COMMIT");
      client.release();
      await pool.end();
    };
  },
};
