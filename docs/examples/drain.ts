import type { Http2Server, ServerHttp2Session } from "node:http2";

/** At SIGTERM a worker takes no more steps, finishes those that run, and ends: at most `timeout.login` later. */
export function drainAtSigterm(worker: Http2Server): void {
  const sessions = new Set<ServerHttp2Session>();
  worker.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  process.once("SIGTERM", () => {
    worker.close();
    for (const session of sessions) {
      session.ref();
      session.close(); // Restate starts no more steps here, and those that run end
    }
  });
}
