import { connect } from "node:net";

/** Writes a text to a port as it is, and resolves with all that comes back until the connection closes. */
export function raw(url: string, sent: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(sent));
    socket.setEncoding("latin1");
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", (error) => ("code" in error && error.code === "ECONNRESET" ? resolve(text) : reject(error)));
  });
}

/** A request as a raw text. It closes the connection, so that the response ends. */
export const request = (line: string, headers: readonly string[], body = ""): string =>
  [`${line} HTTP/1.1`, "Host: relay.example", "Connection: close", ...headers, "", body].join("\r\n");

export const parseStatus = (response: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);
