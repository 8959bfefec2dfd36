import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { wrapThrown } from "../../../core/api/errors.ts";
import { BankError } from "../../../index.ts";
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
    const [
      { createBankLogins },
      { createServerFactory },
      { MESSAGE_LIMIT, readLines, refuseTooLarge },
      { serveStdio, StdioServerTransport },
    ] = await Promise.all([
      import("../../mcp/bank-logins.ts"),
      import("../../mcp/mcp-server.ts"),
      import("../../mcp/message-lines.ts"),
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
    const lines = readLines(program.stdin, (id) => {
      onError(new BankError("invalid_input", { field: "message", detail: `has more than ${MESSAGE_LIMIT} bytes` }));
      refuseTooLarge(transport, id).catch(onError);
    });
    const input = Readable.from(lines, { objectMode: false });
    const transport = new StdioServerTransport(input, program.stdout);
    const connection = serveStdio(createServer, { transport, onerror: onError });
    const { signal } = program;
    // The host has closed or broken the connection, or a signal arrived.
    const ends = [finished(input, { writable: false, signal }), finished(program.stdout, { readable: false, signal })];
    await Promise.race(ends).catch(() => undefined);
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
