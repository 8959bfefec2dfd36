import { createServer } from "node:http";
import { findResponse } from "./canned.ts";

// The bank, in a process of its own: it shares no event loop with what is measured. Ends with its parent.
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = findResponse(request.url ?? "", Buffer.concat(chunks).toString());
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", 4096, () => process.send?.(server.address()));
process.on("disconnect", () => process.exit());
