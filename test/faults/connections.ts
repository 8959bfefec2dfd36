import type { Scene } from "./bank.ts";
import { formatResponse } from "./wire.ts";

// Faults of the connection, and of how a response is put on it.

const head = (...lines: string[]) =>
  `${["HTTP/1.1 200 OK", "content-type: application/json", ...lines].join("\r\n")}\r\n\r\n`;

const written = (text: string) => (act: (scene: Scene) => unknown) => (scene: Scene) =>
  scene.socket.write(text, () => act(scene));

const reset = ({ socket }: Scene) => socket.resetAndDestroy();

const hangUp = ({ socket }: Scene) => socket.end();

const drip = ({ socket }: Scene) => {
  const timer = setInterval(() => socket.write("x"), 20);
  socket.once("close", () => clearInterval(timer));
};

export const resetBeforeTheHeaders = reset;
export const resetWithinTheHeaders = written("HTTP/1.1 200 OK\r\ncontent-ty")(reset);
export const resetAfterTheHeaders = written(head("content-length: 60"))(reset);
export const resetWithinTheBody = written(`${head("content-length: 60")}{"status":"succ`)(reset);

export const hangUpBeforeTheHeaders = hangUp;
export const hangUpWithinTheHeaders = written("HTTP/1.1 200 OK\r\ncontent-ty")(hangUp);
export const halfABody = written(`${head("content-length: 60")}{"status":"succ`)(hangUp);
export const halfAChunk = written(`${head("transfer-encoding: chunked")}1e\r\n{"status":"succ`)(hangUp);
export const noLastChunk = written(`${head("transfer-encoding: chunked")}f\r\n{"status":"succ\r\n`)(hangUp);
export const halfABodyOfNoStatedLength = written(`${head("connection: close")}{"status":"succ`)(hangUp);
export const nothingOfNoStatedLength = written(head("connection: close"))(hangUp);

const whole = '{"status":"error","message":"Invalid key"}';
const stay = () => {};

export const lengthTooLong = written(`${head(`content-length: ${whole.length + 1}`)}${whole}`)(stay);
export const lengthTooShort = written(`${head(`content-length: ${whole.length - 1}`)}${whole}`)(stay);
export const lengthNoNumber = written(`${head("content-length: many")}${whole}`)(stay);
export const lengthNegative = written(`${head("content-length: -1")}${whole}`)(stay);
export const twoLengths = written(`${head("content-length: 42", "content-length: 17")}${whole}`)(stay);
export const lengthAndChunks = written(`${head("content-length: 5", "transfer-encoding: chunked")}${whole}`)(stay);

export const noResponse = stay;
export const silentWithinTheBody = written(`${head("content-length: 60")}{"status":"succ`)(stay);
export const unaskedContinue = written("HTTP/1.1 100 Continue\r\n\r\n")(stay);
export const dripOfHeaders = written("HTTP/1.1 200 OK\r\nx-drip: ")(drip);
export const dripOfABody = written(`${head("content-length: 10000")}{"status":"`)(drip);
export const slowFirstByte = ({ pass }: Scene) => new Promise((resolve) => setTimeout(resolve, 120)).then(pass);

export const anotherProtocol = written("SSH-2.0-OpenSSH_9.6\r\n")(stay);
export const anotherProtocolFromHereOn = written(
  "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
)(stay);
export const endlessHeaders = ({ socket }: Scene) => {
  socket.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${"x".repeat(1000)}\r\n`.repeat(200)}`);
};

export const redirect =
  (http: string) =>
  ({ socket, request, elsewhere }: Scene) =>
    socket.write(formatResponse(http, "", { location: `${elsewhere}${request.target}` }));

export const hasty =
  (http: string, retryAfter: () => string) =>
  ({ socket }: Scene) =>
    socket.write(
      formatResponse(http, "<h1>Not now</h1>", { "content-type": "text/html", "retry-after": retryAfter() }),
    );
