import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
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

/** Serves a host on standard input and output until it goes away, or a signal comes. */
async function serveHost(context: McpContext): Promise<"success"> {
  const { program, output } = context;
  const log = createLog(output);
  const { client, expiresIn, isInMemory, logins: loginsOptions, close } = await readMcpSettings(context, log);
  try {
    // Loaded here alone, since no other command needs the SDK.
    const [{ createBankLogins }, { createMcpServer }, { readLines }, { StdioServerTransport }] = await Promise.all([
      import("../../mcp/bank-logins.ts"),
      import("../../mcp/mcp-server.ts"),
      import("../../mcp/message-lines.ts"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
    ]);
    const logins = createBankLogins(loginsOptions);
    const { server, gone, refuseTooLarge } = createMcpServer({
      client,
      logins,
      locale: output.locale,
      expiresIn,
      version: createRequire(import.meta.url)("ventanilla/package.json").version,
      onCall: ({ fault, ...event }) => log("call", { ...event, ...(fault && describeFault(fault)) }),
      onError: (error) => log("error", describeFault(error)),
    });
    const lines = Readable.from(readLines(program.stdin, refuseTooLarge), { objectMode: false });
    await server.connect(new StdioServerTransport(lines, program.stdout));
    const signal = AbortSignal.any([program.signal, gone]);
    // Closed by the host, broken or stopped: each is the end.
    await finished(lines, { writable: false, signal }).catch(() => undefined);
    log("draining", {});
    await server.close();
    // Nobody could read them any more.
    for (const error of isInMemory ? await logins.cancelAll() : []) log("error", describeFault(wrapThrown(error)));
    program.endBySignal();
    return "success";
  } finally {
    await close();
    log("stopped", {});
  }
}
