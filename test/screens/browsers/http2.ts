import { execFile } from "node:child_process";
import { once } from "node:events";
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

/** What becomes of a login or an answer in place of its response. */
export type StreamFault = (stream: ServerHttp2Stream) => void;

let certificate: ReturnType<typeof createCertificate> | undefined;

/** A key and a certificate for this machine, which no browser trusts. */
async function createCertificate() {
  const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=127.0.0.1 -days 2";
  const name = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "-", "-out", "-"];
  const { stdout } = await promisify(execFile)("openssl", [...words.split(" "), ...name]);
  return { key: stdout, cert: stdout };
}

/**
 * A proxy that speaks HTTP/2 with the browser.
 *
 * @param forward sends a request on.
 * @param faults those that strike the next logins and answers, one each.
 */
export async function openHttp2(
  forward: (path: string, init: RequestInit) => Promise<Response>,
  faults: StreamFault[],
) {
  certificate ??= createCertificate();
  const server = createSecureServer(await certificate);
  const respond = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const method = headers[":method"] ?? "";
    const sent = Object.entries(headers).filter(([name]) => !name.startsWith(":")) as [string, string][];
    const body = await text(stream);
    const fault = method === "POST" ? faults.shift() : undefined;
    const response = await forward(headers[":path"] ?? "", { method, headers: sent, ...(body && { body }) });
    const content = await response.text();
    if (stream.destroyed) return;
    if (fault) return fault(stream);
    // Those that HTTP/2 has no place for, or that the body no longer fits, are left out.
    const left = ["connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"];
    const passed = [...response.headers].filter(([name]) => !left.includes(name));
    stream.respond({ ":status": response.status, ...Object.fromEntries(passed) });
    stream.end(content);
  };
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    // A browser that has gone.
    respond(stream, headers).catch(() => stream.destroy());
  });
  server.on("sessionError", () => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
