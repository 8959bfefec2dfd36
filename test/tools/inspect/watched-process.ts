import { createBankClient, login } from "ventanilla";
import { inspectLogin } from "ventanilla/inspect";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { WebSocket } from "ws";

// Run by processes.test.ts: it watches its own login, stops nothing, and must still end.

const sandbox = createSandbox();
const client = createBankClient({
  baseUrl: "http://bank.test",
  apiKey: SANDBOX_API_KEY,
  fetch: (input, init) => sandbox(new Request(input, init)),
});

const inspect = inspectLogin();
const { server = "" } = await inspect.address;

let received = 0;
if (process.env["WATCHED"]) {
  // A watcher must not keep the process alive. Its own end of the connection, which is in this process too, is unreferenced by hand.
  const socket = new WebSocket(server);
  socket.on("message", () => {
    received += 1;
  });
  await new Promise((resolve) => socket.on("open", resolve));
  (socket as unknown as { _socket: { unref(): void } })._socket.unref();
}

const { state } = await login(
  client,
  { provider: "test", username: "12345otp", password: "asdfg" },
  {
    onInteraction: () => "8888",
    inspect,
  },
);
while (process.env["WATCHED"] && received === 0) await new Promise((resolve) => setTimeout(resolve, 10));
process.stdout.write(`${state} ${received > 0 ? "watched" : "alone"}`);
