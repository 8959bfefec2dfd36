import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import {
  type CallToolResult,
  Client,
  type ElicitRequestURLParams,
  type ElicitResult,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import { installProgram } from "../cli/installed-program.ts";
import { createEnvironment, parseLines, startHere } from "../cli/program.ts";

/** What a host is like. */
export interface HostOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** The version of the protocol, and no other one. */
  readonly version?: "2025-11-25" | "2026-07-28";
  /** Another copy of the program. */
  readonly main?: string;
  /** What the person says when the host asks to open a page. Without it the host has no elicitation. */
  readonly elicit?: (page: { readonly url: string; readonly message: string }) => ElicitResult | Promise<ElicitResult>;
}

/** Accepts each page. */
export const accept = (): ElicitResult => ({ action: "accept" });

/** A host, on the SDK's own client, that has started `ventanilla mcp` and talks to it over a pipe. */
export async function startHost(words: readonly string[] = [], options: HostOptions = {}) {
  const { environment, main } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main ?? (await installProgram()).main, "mcp", ...words],
    env: createEnvironment(environment),
    stderr: "pipe",
  });
  const log = transport.stderr ? text(transport.stderr as never) : Promise.resolve("");
  const host = await connect(transport, options);
  const pid = transport.pid ?? 0;
  const closed = new Promise<void>((resolve) => {
    host.client.onclose = resolve;
  });
  /** Kills the process, and waits until its port is free. */
  const kill = () => {
    process.kill(pid, "SIGKILL");
    return closed;
  };
  return { ...host, log, kill };
}

/** The same in this process, where its end is not what is tested: a process of its own takes half a second of the machine. */
export async function startHostHere(words: readonly string[] = [], options: Omit<HostOptions, "main"> = {}) {
  const { stdin, stdout, stderr, ended } = startHere(["mcp", ...words], options.environment);
  const log = text(stderr);
  // It reads and writes lines in the same way at this end.
  const transport = new StdioServerTransport(stdout, stdin);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    stdin.end();
    await ended;
  };
  void ended.then(close);
  return { ...(await connect(transport, options)), log };
}

/** Connects the client of a host. */
async function connect(transport: Transport, { elicit, version = "2025-11-25" }: HostOptions) {
  const transcript: unknown[] = [];
  const pages: ElicitRequestURLParams[] = [];
  const completed: string[] = [];
  const client = new Client(
    { name: "host", version: "1" },
    {
      capabilities: elicit ? { elicitation: { url: {} } } : {},
      versionNegotiation: { mode: version === "2025-11-25" ? "legacy" : { pin: version } },
    },
  );
  if (elicit) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      if (params.mode !== "url") throw new Error("a form was asked for");
      pages.push(params);
      return elicit(params);
    });
    client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
      completed.push(params.elicitationId);
    });
  }
  // The SDK calls both.
  transport.onmessage = (message) => void transcript.push(message);
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    transcript.push(message);
    return send(message);
  };
  await client.connect(transport);
  onTestFinished(() => client.close());
  /** Calls a tool. @returns its result, or the failure that it names. */
  const call = async (name: string, input: object = {}) => {
    const result = (await client.callTool(
      { name, arguments: { ...input } },
      {
        // Asked for, so that the transcript has it.
        onprogress: () => {},
      },
    )) as CallToolResult;
    const [content] = result.content;
    const said = JSON.parse(content?.type === "text" ? content.text : "");
    return { isError: result.isError ?? false, ...said };
  };
  return { client, transcript, pages, completed, call };
}

/** `ventanilla mcp` and its bare pipes, for a host that behaves as no client would. */
export async function openPipes(words: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const { main } = await installProgram();
  const child = spawn(process.execPath, [main, "mcp", ...words], { env: createEnvironment(environment) });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close").then(([code]): number => code);
  const { stdin, stdout, stderr } = child;
  return talk({ stdin, stdout, stderr, ended });
}

/** The same in this process, where neither a signal nor all of its output is what is tested. */
export async function openPipesHere(words: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const program = startHere(["mcp", ...words], environment);
  onTestFinished(async () => void (await program.stop()));
  return { stop: program.stop, ...(await talk(program)) };
}

interface Pipes {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<number>;
}

async function talk({ stdin, stdout, stderr, ended }: Pipes) {
  const lines: string[] = [];
  // An event, not a poll: a request that a test does not await would go on with the next file, and move its fake clock.
  const answered = new EventEmitter().setMaxListeners(0);
  createInterface(stdout).on("line", (line) => {
    lines.push(line);
    const message = JSON.parse(line);
    answered.emit(String(message.id), message);
  });
  let err = "";
  stderr.on("data", (part) => {
    err += part;
  });
  let last = 0;
  const request = async (method: string, params: object) => {
    const id = ++last;
    const answer = once(answered, String(id));
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const [message] = await answer;
    return message;
  };
  const call = async (name: string, input: object) =>
    (await request("tools/call", { name, arguments: input })).result.structuredContent;
  const clientInfo = { name: "host", version: "1" };
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return {
    stdin,
    lines,
    request,
    call,
    log: () => parseLines(err.slice(err.indexOf("{"))),
    events: () => parseLines(err.slice(err.indexOf("{"))).map(({ event }) => event),
    ended,
  };
}
