import { createSandboxSettings, type SandboxOptions } from "./sandbox-options.ts";
import {
  internalError,
  methodNotAllowed,
  missingApiKey,
  notFound,
  requestAborted,
  type SandboxResponse,
  slashDoubled,
  unknownApiKey,
} from "./sandbox-responses.ts";
import { createRoutes, type Route } from "./sandbox-routes.ts";

/**
 * The complete service as one web-standard handler. It always resolves. A request that is aborted while the
 * slow bank delays it resolves, too, with HTTP 499.
 */
export type Sandbox = (request: Request) => Promise<Response>;

/**
 * Creates a bank aggregation service in this process: every endpoint of the contract (section 4), the accounts of
 * `sandboxAccounts` and of your own `banks`, no network and no files. Each sandbox keeps its own sessions, in memory.
 *
 * Beyond the contract it serves `GET /client/`, `GET /client/{id}/` and `GET /logout/`, accepts the session key in the
 * header `X-Session-Key` as well, and narrows dependent choices with `GET /provider/{code}/?key=<field>&value=<chosen>`.
 *
 * @throws {BankError} `invalid_input` for an unknown option, or a wrong bank among `banks`; `field` is its path: `banks.0.accounts.1.password`.
 * @example
 * const sandbox = createSandbox();
 * const request = new Request("http://sandbox/provider/", { headers: { "X-API-Key": SANDBOX_API_KEY } });
 * const { providers } = await (await sandbox(request)).json();
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const settings = createSandboxSettings(options);
  const routes = createRoutes(settings);
  return async (request) => {
    try {
      const refused = refuseKey(request, settings.apiKey) ?? refuseSlash(request);
      if (refused) settings.report(request, refused.mistake);
      return toResponse(refused ?? (await serve(request, routes)));
    } catch {
      return toResponse(internalError);
    }
  };
}

function refuseKey({ headers }: Request, apiKey: string): SandboxResponse | undefined {
  const sent = headers.get("x-api-key");
  if (!sent) return missingApiKey;
  return sent === apiKey ? undefined : unknownApiKey;
}

function refuseSlash({ url }: Request): SandboxResponse | undefined {
  return new URL(url).pathname.includes("//") ? slashDoubled : undefined;
}

async function serve(request: Request, routes: readonly Route[]): Promise<SandboxResponse> {
  const { pathname, searchParams } = new URL(request.url);
  for (const { method, path, handle } of routes) {
    const match = path.exec(pathname);
    if (!match) continue;
    if (request.method !== method) return methodNotAllowed(method);
    try {
      return await handle({ request, query: searchParams, parameter: decode(match[1] ?? "") });
    } catch (error) {
      if (request.signal.aborted) return requestAborted;
      throw error;
    }
  }
  return notFound;
}

/** A part of a path, decoded; empty if that fails, which matches no provider and no client. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

function toResponse({ http, body, headers }: SandboxResponse): Response {
  return Response.json(body, { status: http, headers: { "cache-control": "no-store", ...headers } });
}
