import { setTimeout as pause } from "node:timers/promises";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { openService } from "../bank/service.ts";

/** What changes something at the bank: a first login, a second one, the choice of a client. */
export type Kind = "first" | "second" | "choice";

/** One request that changes something, as it came to the bank. */
export interface Posted {
  /** The name behind the user name: which login it was. */
  readonly login: string;
  readonly kind: Kind;
  /** The request to the letter: the same text twice is the same request twice. */
  readonly text: string;
  /** What was answered to it. */
  status: string | undefined;
  key: string | undefined;
}

/**
 * Serves a sandbox that writes down what reaches it, in order, and how many callers hung up. A user name may carry the login's name behind a tilde, `12345otp~a17`: the bank writes down who
 * called, and the sandbox sees `12345otp`.
 *
 * @param delay milliseconds to take before and after the sandbox, each time anew.
 * @param onMoment told of what reaches the bank and of what it has answered.
 * @param echoes whether each answer repeats all that its login has sent, and each key that it got.
 */
export async function serveCountingBank(
  delay: () => number = () => 0,
  onMoment: (moment: `${Kind} ${"received" | "answered"}`) => void = () => {},
  echoes = false,
) {
  const sandbox = createSandbox({ sessionLifetime: 3_600_000, interactionLifetime: 3_600_000 });
  const posted: Posted[] = [];
  const heard: Record<string, Set<unknown>> = {};
  let hungUp = 0;
  const { url, close } = await openService(async (request) => {
    void request.abandoned.then(() => hungUp++);
    const { method, body } = request;
    const url = new URL(request.url, "http://sandbox");
    const form = new URLSearchParams(body);
    const [username = "", login = ""] = (form.get("username") ?? "").split("~");
    const key = url.searchParams.get("key");
    const kind = kindOf(`${method} ${url.pathname}`, key !== null);
    const owner = kind === "choice" ? posted.findLast((one) => one.key === key)?.login : login;
    const entry: Posted = {
      login: owner ?? "",
      kind: kind ?? "first",
      text: `${url}\n${body}`,
      status: undefined,
      key: undefined,
    };
    if (kind) {
      posted.push(entry);
      onMoment(`${kind} received`);
    }
    if (form.has("username")) form.set("username", username);
    await pause(delay());
    const headers = new Headers({ "x-api-key": `${request.headers["x-api-key"]}` });
    const answer = await sandbox(new Request(url, { method, headers, ...(method === "POST" && { body: form }) }));
    const said = (await answer.json()) as { status: string; key?: string; context?: string; message?: string };
    if (echoes) {
      const sent = [...new URLSearchParams(body)].flatMap(([name, value]) => (name === "provider" ? [] : [value]));
      heard[login] ??= new Set();
      for (const value of [...sent, key, said.key, SANDBOX_API_KEY]) if (value) heard[login].add(value);
      const echo = [...heard[login]].join(" ");
      Object.assign(said, { context: `${said.context ?? ""} ${echo}`, message: echo, code: echo, [echo]: echo });
    }
    if (kind) {
      Object.assign(entry, { status: said.status, key: said.key ?? key });
      onMoment(`${kind} answered`);
    }
    await pause(delay());
    return { http: answer.status, json: said };
  });
  return {
    url,
    apiKey: SANDBOX_API_KEY,
    posted,
    get hungUp() {
      return hungUp;
    },
    /** The requests of one login. */
    of: (login: string) => posted.filter((one) => one.login === login),
    close,
  };
}

export type CountingBank = Awaited<ReturnType<typeof serveCountingBank>>;

function kindOf(request: string, hasKey: boolean): Kind | undefined {
  if (request === "POST /login/") return hasKey ? "second" : "first";
  return /^GET \/client\/[^/]+\/$/.test(request) ? "choice" : undefined;
}
