import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port that nobody listens on. It is below those that systems give to connections and to servers that ask for any: one of a test that runs
 * beside this one could have it before the server that it is meant for.
 */
export async function findFreePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const probe = createServer().listen(port, "127.0.0.1");
  const isFree = await once(probe, "listening").then(Boolean, () => false);
  if (!isFree) return findFreePort();
  await once(probe.close(), "close");
  return port;
}
