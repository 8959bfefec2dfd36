import { once } from "node:events";
import { createRequire } from "node:module";
import { wrapThrown } from "../../../core/api/errors.ts";
import { type McpContext, mcpOptions, readMcpSettings } from "../../mcp/mcp-settings.ts";
import { defineCommand } from "../command.ts";
import { createLog, describeFault } from "../serve/serve-log.ts";

export const mcp = defineCommand({
  description: "Serve bank logins to an AI assistant that never sees them",
  options: mcpOptions,
  examples: [
    ["ventanilla mcp", "what an assistant's settings start; with the sandbox"],
    [
      "ventanilla mcp --base-url https://bank.example \\\n  --serve https://login.shop.example",
      "with the logins of a ventanilla serve, VENTANILLA_API_KEY and VENTANILLA_SERVE_KEY",
    ],
  ],
  run: serveHost,
});

/** Serves a host on standard input and output until it disconnects, or a signal arrives. */
async function serveHost(context: McpContext): Promise<"success"> {
  const { program, output } = context;
  const log = createLog(output);
  const {
    client,
    expiresIn,
    giveAddress,
    isInMemory,
    logins: loginsOptions,
    close,
  } = await readMcpSettings(context, log);
  try {
    // Loaded here, because no other command needs the SDK.
    const [{ createBankLogins }, { createServerFactory }, { serveStdio, StdioServerTransport }] = await Promise.all([
      import("../../mcp/bank-logins.ts"),
      import("../../mcp/mcp-server.ts"),
      import("@modelcontextprotocol/server/stdio"),
    ]);
    const logins = createBankLogins(loginsOptions);
    // The message of such an error may quote a request.
    const onError = (error: unknown) => log("error", describeFault(wrapThrown(error)));
    const createServer = createServerFactory({
      client,
      logins,
      locale: output.locale,
      expiresIn,
      giveAddress,
      version: createRequire(import.meta.url)("ventanilla/package.json").version,
      onCall: ({ fault, ...event }) => log("call", { ...event, ...(fault && describeFault(fault)) }),
      onError,
    });
    const transport = new StdioServerTransport(program.stdin, program.stdout);
    const connection = serveStdio(createServer, { transport, onerror: onError });
    // The SDK has set its own callback, which ends what runs.
    const { onclose } = transport;
    const closed = new Promise<void>((resolve) => {
      transport.onclose = () => {
        onclose?.();
        resolve();
      };
    });
    const { signal } = program;
    // The host has closed or broken the connection, or a signal arrived.
    if (!signal.aborted) await Promise.race([closed, once(signal, "abort")]);
    log("draining", {});
    await connection.close();
    // The handles are lost with the connection.
    for (const error of await logins.cancelAll(isInMemory ? "all" : "offered")) onError(error);
    program.endBySignal();
    return "success";
  } finally {
    await close();
    log("stopped", {});
  }
}
