import { internalError } from "./answers.ts";
import { createApplication } from "./application.ts";
import type { SandboxOptions } from "./options.ts";

/**
 * The whole service as one web-standard handler. It always resolves, whatever it is asked. A request aborted while the
 * slow bank makes it wait resolves too, with HTTP 499.
 */
export type Sandbox = (request: Request) => Promise<Response>;

/**
 * Makes a bank aggregation service that lives in this process: every endpoint of the contract (section 4), the accounts of
 * `sandboxAccounts`, no network and no files. Each sandbox keeps sessions of its own, in memory.
 *
 * Beyond the contract it serves `GET /client/`, `GET /client/{id}/` and `GET /logout/`, takes the session key in the
 * header `X-Session-Key` as well, and narrows dependent choices with `GET /provider/{code}/?key=<field>&value=<chosen>`.
 *
 * @example
 * const sandbox = createSandbox();
 * const request = new Request("http://sandbox/provider/", { headers: { "X-API-Key": SANDBOX_API_KEY } });
 * const { providers } = await (await sandbox(request)).json();
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const application = createApplication(options);
  return async (request) => {
    try {
      return await application.fetch(request);
    } catch {
      return Response.json(internalError.body, { status: internalError.http });
    }
  };
}
