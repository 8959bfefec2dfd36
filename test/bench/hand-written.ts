import * as v from "valibot";

type Fields = Readonly<Record<string, string>>;
type Post = (bank: typeof fetch, address: string, fields: Fields, signal: AbortSignal) => Promise<LoginBody>;

const loginBody = v.looseObject({
  status: v.string(),
  key: v.nullish(v.string()),
  field: v.nullish(v.string()),
  context: v.nullish(v.string()),
});
type LoginBody = v.InferOutput<typeof loginBody>;

const RESPONSE_LIMIT = 4 * 1024 * 1024;

/** A login as it is written without the library: a pair of requests where the bank asks for something. */
export async function logInByHand(send: Post, bank: typeof fetch, baseUrl: string, fields: Fields, answer: string) {
  const { signal } = new AbortController();
  const first = await send(bank, `${baseUrl}/login/`, fields, signal);
  if (first.status !== "interaction_required") return expectLoggedIn(first);
  const { key, field } = first;
  if (!key || !field) throw new Error("no key or field");
  const address = `${baseUrl}/login/?key=${encodeURIComponent(key)}`;
  expectLoggedIn(await send(bank, address, { ...fields, [field]: answer }, signal));
}

export function expectLoggedIn({ status }: { readonly status: string }): void {
  if (status !== "logged_in") throw new Error(status);
}

/** Without any guarantee. */
export const post: Post = async (bank, address, fields) => {
  const response = await bank(address, {
    method: "POST",
    headers: { "x-api-key": "api-key", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  return (await response.json()) as LoginBody;
};

/**
 * With a time-out, the caller's signal, a limit of the response's size, no redirect and a fresh connection. With all guarantees of the client it is
 * also sent once whatever the platform does, the response is checked and cleared of what was sent, and the time-out holds for a
 * `fetch` that ignores its signal.
 */
export function createGuardedPost(guarantees: "four" | "all"): Post {
  return async (bank, address, fields, signal) => {
    const controller = new AbortController();
    const stopped = guarantees === "all" && rejectWhenAborted(controller.signal);
    const abort = () => controller.abort(new Error("aborted"));
    signal.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(() => controller.abort(new Error("timed out")), 90_000);
    const form = new URLSearchParams(fields).toString();
    const send = async () => {
      const response = await bank(address, {
        method: "POST",
        headers: {
          accept: "application/json",
          // The client opens a connection for each login.
          connection: "close",
          "x-api-key": "api-key",
          "content-type": "application/x-www-form-urlencoded",
          ...(guarantees === "all" && { "content-length": `${form.length}` }),
        },
        // The fetch standard repeats a text after HTTP 421; a stream can't be repeated.
        ...(guarantees === "all" ? { body: new Response(form).body, duplex: "half" } : { body: form }),
        redirect: "manual",
        signal: controller.signal,
      } as RequestInit);
      const body: unknown = JSON.parse(await readText(response));
      return guarantees === "all" ? clear(v.parse(loginBody, body), fields) : (body as LoginBody);
    };
    try {
      return await (stopped ? Promise.race([stopped, send()]) : send());
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  };
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  stopped.catch(() => undefined);
  return stopped;
}

async function readText(response: Response): Promise<string> {
  if (response.status >= 300 && response.status < 400) throw new Error("redirected");
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > RESPONSE_LIMIT) throw new Error("too large");
    chunks.push(part.value);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}

/** What was sent must not come back in a text for people. */
function clear(body: LoginBody, fields: Fields): LoginBody {
  let { context } = body;
  if (!context) return body;
  for (const value of Object.values(fields)) {
    const inForm = new URLSearchParams({ value }).toString().slice("value=".length);
    for (const text of new Set([value, encodeURIComponent(value), inForm]))
      context = context.replaceAll(text, "[secret]");
  }
  return { ...body, context };
}
