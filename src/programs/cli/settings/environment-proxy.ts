import { isLoopback } from "../../../core/http/loopback.ts";
import { BankError } from "../../../index.ts";

/**
 * Refuses to go around a proxy that the environment names and this Node does not use: a login would leave by a way that was not allowed.
 *
 * @throws {BankError} `invalid_setup` naming the variable.
 */
export function checkProxy(address: string, environment: NodeJS.ProcessEnv): void {
  const { protocol, host, hostname } = new URL(address);
  const names = protocol === "https:" ? ["HTTPS_PROXY", "https_proxy"] : ["HTTP_PROXY", "http_proxy"];
  const field = names.find((name) => environment[name]);
  if (field === undefined || isLoopback(host) || isExcepted(hostname, environment) || usesProxies(environment)) return;
  const detail =
    "this Node does not use it: run Node 24 or 22.21 with NODE_USE_ENV_PROXY=1, or name the host of the service in NO_PROXY";
  throw new BankError("invalid_setup", { field, detail });
}

function isExcepted(hostname: string, environment: NodeJS.ProcessEnv): boolean {
  const listed = (environment["NO_PROXY"] || environment["no_proxy"] || "").toLowerCase().split(/[\s,]+/);
  return listed.some((entry) => {
    const name = entry.replace(/^\*?\./, "").replace(/:\d+$/, "");
    return entry === "*" || (name !== "" && (hostname === name || hostname.endsWith(`.${name}`)));
  });
}

function usesProxies(environment: NodeJS.ProcessEnv): boolean {
  const { node, bun, deno } = process.versions;
  if (bun || deno) return true;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isAsked = environment["NODE_USE_ENV_PROXY"] === "1" || process.execArgv.includes("--use-env-proxy");
  return isAsked && (major >= 24 || (major === 22 && minor >= 21));
}
