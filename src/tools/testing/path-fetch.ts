import { type Endpoint, endpoints } from "../../core/api/bank-request.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import type { Fault, Path, Received, RequestName } from "./path-types.ts";

/** The bank of a path as a `fetch`, with the requests that it has received. */
export type PathFetch = typeof fetch & { readonly received: readonly Received[] };

// A run uses the bank of its path if the driver has no `received`, because it could not see otherwise what a screen does not send.
const banks = new WeakMap<object, PathFetch>();

/** The last bank that was created for a path in this program. */
export const findBank = (path: Path): PathFetch | undefined => banks.get(path);

/**
 * A `fetch` for one run of a path. The sandbox responds, except if the path has a fault. A client that is not chosen on the
 * path is refused with `wrong_client`. Requests are counted from 1, so create a `fetch` for each run. It works in browsers, workers and on servers, without a network.
 *
 * @param sandbox default a new one; with your own, the sessions of another run can be in the way.
 * @example
 * const client = createBankClient({
 *   baseUrl: "http://sandbox.test",
 *   apiKey: SANDBOX_API_KEY,
 *   fetch: fetchFor(path),
 *   retry: false,
 * });
 */
export function fetchFor(path: Pick<Path, "faults" | "steps">, sandbox: Sandbox = createSandbox()): PathFetch {
  const received: Received[] = [];
  const counts = new Map<RequestName | undefined, number>();
  const isChosen = (client: string) =>
    path.steps.some(({ action }) => action.type === "choose" && action.value === client);
  const respondTo: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const name = toRequestName(request);
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    const values = await readValues(request);
    signal?.throwIfAborted();
    if (name) received.push({ request: name, values });
    if (name === "GET /client/{id}/" && !isChosen(values["id"] ?? "")) return Response.json(wrongClient);
    const fault = path.faults.find((fault) => fault.request === name && [undefined, number].includes(fault.number));
    if (!fault) {
      const response = await sandbox(request);
      signal?.throwIfAborted();
      return response;
    }
    return respond(fault, signal);
  };
  const bank = Object.assign(respondTo, { received });
  banks.set(path, bank);
  return bank;
}

function toRequestName({ method, url }: Request): RequestName | undefined {
  const { pathname, searchParams } = new URL(url);
  const [, name] = patterns.find(([pattern]) => pattern.test(`${method} ${pathname}`)) ?? [];
  const isNarrowing = name === "GET /provider/{code}/" && searchParams.has("value");
  return isNarrowing ? "GET /provider/{code}/?key={field}&value={chosen}" : name;
}

// The service's address may have a path.
const patterns = (Object.keys(endpoints) as Endpoint[]).map((endpoint) => {
  const pattern = endpoint.replace(" ", " .*").replace(/\{\w+\}/, "[^/]+");
  return [new RegExp(`^${pattern}$`), endpoint] as const;
});

const wrongClient = { status: "error", message: "wrong_client" };

/** The fields of a form, or the `code` or `id` in a path. */
async function readValues(request: Request): Promise<Received["values"]> {
  if (request.method === "POST") return Object.fromEntries(new URLSearchParams(await request.clone().text()));
  const [, resource, value] = /\/(provider|client)\/([^/]+)\/$/.exec(new URL(request.url).pathname) ?? [];
  return value === undefined ? {} : { [resource === "client" ? "id" : "code"]: decodeURIComponent(value) };
}

async function respond({ what }: Fault, signal: AbortSignal | null | undefined): Promise<Response> {
  if (what === "broken") throw new TypeError("fetch failed");
  if (what !== "held") return Response.json(what.body, { status: what.http ?? 200 });
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
