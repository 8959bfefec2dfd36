import { join } from "node:path";
import { createClient } from "redis";
import { createRedisStore } from "ventanilla/tokens";
import { startRedis } from "../../core/stores/servers.ts";
import type { Database } from "./database.ts";

export const redis: Database = {
  start: startRedis,
  async connect({ folder }) {
    const client = createClient({ socket: { path: join(folder, "redis.sock"), tls: false, reconnectStrategy: 50 } });
    client.on("error", () => undefined);
    await client.connect();
    return { store: createRedisStore(client), close: async () => client.destroy() };
  },
  async pause(server) {
    server.pause();
    return server.resume;
  },
};
