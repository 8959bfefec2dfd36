import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Posted {
  readonly bank?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly code?: string;
}

const accepted = { user: "ana", pin: "1234" };

/** A service with an API of its own: banks have inputs, and a login is a connection. It stands for the one that you have. */
export async function serveGateway(token: string) {
  /** Every login and answer that arrived. */
  const posted: string[] = [];
  const approvals = ["pending", "approved"];
  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) return send(401, { error: "bad_token" });
    const name = `${request.method} ${request.url}`;
    const body = request.method === "POST" ? ((await json(request)) as Posted) : {};
    if (request.method === "POST") posted.push(name);
    switch (name) {
      case "GET /banks":
        return send(200, [{ id: "river", title: "River Bank", country: "UY" }]);
      case "GET /banks/river":
        return send(200, {
          title: "River Bank",
          country: "UY",
          inputs: [
            { id: "user", title: "User" },
            { id: "pin", title: "PIN", hidden: true },
            { id: "code", title: "Code", later: true },
          ],
        });
      case "POST /connections": {
        const { user, pin } = body.values ?? {};
        if (user !== accepted.user || pin !== accepted.pin) return send(422, { error: "bad_login" });
        if (body.bank === "hill") {
          return send(202, {
            connection: "c-2",
            state: "waits",
            input: "approval",
            text: "Approve it in the Hill app",
          });
        }
        return send(202, { connection: "c-1", state: "waits", input: "code", text: "The code of your River card" });
      }
      case "POST /connections/c-1/answer":
        if (body.code !== "77") return send(422, { error: "bad_answer" });
        return send(200, { connection: "c-1", state: "open" });
      case "GET /connections/c-2/approval":
        return send(200, { state: approvals.length > 1 ? approvals.shift() : approvals[0] });
      case "POST /connections/c-2/answer":
        return send(200, { connection: "c-2", state: "open" });
      case "GET /connections/c-1/targets":
        return send(200, [{ number: 7, title: "Ana's savings" }]);
      case "DELETE /connections/c-1":
        return send(200, { state: "closed" });
      default:
        return send(404, { error: "unknown_path" });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, posted, close: () => server.close() };
}
