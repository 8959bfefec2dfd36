import { connect } from "node:net";

/** Writes bytes to a port as they are, and gives all that comes back until the other side is silent or hangs up. */
export function raw(url: string, ...parts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    socket.setEncoding("latin1");
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", (error) => ("code" in error && error.code === "ECONNRESET" ? resolve(text) : reject(error)));
  });
}

/** A request as a raw text. It asks for the connection's end, so that the answer has one. */
export const request = (line: string, headers: readonly string[], body = ""): string =>
  [`${line} HTTP/1.1`, "Host: relay.example", "Connection: close", ...headers, "", body].join("\r\n");

export const parseStatus = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
