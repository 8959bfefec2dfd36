import { gzipSync } from "node:zlib";
import type { Scene } from "./bank.ts";
import { formatResponse } from "./wire.ts";

// Faults of what a response says.

const json = { "content-type": "application/json" };
const html = { "content-type": "text/html" };

const says =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = json, http = "200 OK") =>
  ({ socket }: Scene) =>
    socket.write(formatResponse(http, body, headers));

const nginx = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>\r\n`;

export const badGateway = says(nginx("502 Bad Gateway"), html, "502 Bad Gateway");
export const gatewayTimeout = says(nginx("504 Gateway Time-out"), html, "504 Gateway Time-out");
export const requestTimeout = says(nginx("408 Request Time-out"), html, "408 Request Timeout");
export const internalError = says(nginx("500 Internal Server Error"), html, "500 Internal Server Error");
export const firewall = says(nginx("403 Forbidden"), html, "403 Forbidden");

/** The page of a hotel: it shows back whatever was asked for. */
export const captivePortal = ({ socket, request }: Scene) =>
  socket.write(
    formatResponse("200 OK", `<html><a href="${request.target}">Accept</a><!--${request.bytes}--></html>`, html),
  );

export const noContent = ({ socket }: Scene) => socket.write("HTTP/1.1 204 No Content\r\n\r\n");

const padded = (size: number) => `{"status":"error","message":"Invalid key","padding":"${"x".repeat(size)}"}`;
const inflated = Buffer.from(padded(16 * 1024 * 1024));
const bomb = gzipSync(inflated);

export const gzipBomb = says(bomb, { ...json, "content-encoding": "gzip" });
export const gzipBombInAGzip = says(gzipSync(bomb), { ...json, "content-encoding": "gzip, gzip" });
export const noGzipAtAll = says(padded(10), { ...json, "content-encoding": "gzip" });
export const halfAGzip = says(gzipSync(padded(10)).subarray(0, 30), { ...json, "content-encoding": "gzip" });

/** 50 MB, as fast as the other side takes them. */
export const fiftyMegabytes = ({ socket }: Scene) => {
  const size = 50_000_000;
  const piece = Buffer.alloc(50_000, " ");
  let left = size / piece.length;
  const flow = () => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(piece)) return;
    }
  };
  socket.on("drain", flow);
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
  flow();
};

export const endlessChunks = ({ socket }: Scene) => {
  const piece = Buffer.from(`c350\r\n${" ".repeat(50_000)}\r\n`);
  const flow = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", flow);
  socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
  flow();
};

const nested = "[".repeat(100_000) + "]".repeat(100_000);

export const invalidUtf8 = says(Buffer.from('{"status":"error","message":"Invalid key \xff"}', "latin1"));
export const nothingButNesting = says(nested);
export const nestedDescription = says(`{"status":"error","message":"Invalid key","description":${nested}}`);
export const nestedPrototypes = says(
  `{"status":"error","message":"Invalid key","a":${'{"__proto__":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
);
export const twiceTheSameMember = says(
  '{"status":"success","status":"error","message":"Fine","message":"Invalid key"}',
);
export const statusBehindAPrototype = says(
  '{"__proto__":{"status":"success"},"constructor":{"prototype":{"status":"success"}}}',
);
export const messageBehindAPrototype = says('{"status":"error","__proto__":{"message":"Invalid key","code":"B1001"}}');
export const statusOfEveryObject = says('{"status":"constructor","key":"k","__proto__":{"key":"other"}}');
export const codeOfEveryObject = says('{"status":"error","code":"__proto__","message":"hasOwnProperty"}');
