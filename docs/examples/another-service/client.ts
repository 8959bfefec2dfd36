import {
  type BankClient,
  BankError,
  type CallOptions,
  type LoginResponse,
  type Refusal,
  type RefusalStatus,
  reveal,
  type StringOrSecret,
  secret,
} from "ventanilla";

const open = (text: StringOrSecret) => (typeof text === "string" ? text : reveal(text));

/** What the gateway calls a refusal, and what ventanilla does. A word that is not here is an `unexpected_status`. */
const refusals: Readonly<Record<string, RefusalStatus>> = {
  bad_login: "wrong_credentials",
  bad_answer: "wrong_answer",
  bad_token: "api_key_refused",
};

/** The client of a service with another API. `login()`, the statecharts, screens, the relay and the command take it as their own. */
export function createGatewayClient({ baseUrl, token }: { baseUrl: string; token: string }): BankClient {
  /** Sends a request, once. `name` is what an error may say: no id, and nothing that was typed in. */
  async function call(name: string, path: string, { signal, timeout = 90_000 }: CallOptions = {}, body?: object) {
    const [method = "GET"] = name.split(" ");
    const abort = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]);
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        redirect: "error",
        signal: abort,
        ...(body && { body: JSON.stringify(body) }),
      });
      return { httpStatus: response.status, isOk: response.ok, body: await response.json() };
    } catch {
      if (signal?.aborted) throw new BankError("request_aborted", { request: name, baseUrl });
      // The bank may have got it: it must not be sent again automatically.
      throw new BankError(method === "POST" ? "outcome_unknown" : "network_failed", { request: name, baseUrl });
    }
  }

  type Response = Awaited<ReturnType<typeof call>>;

  const refuse = ({ httpStatus, body }: Response): Refusal => ({
    status: refusals[body.error] ?? "unexpected_status",
    httpStatus,
    wire: { status: String(body.error) },
  });

  const toLogin = (response: Response): LoginResponse => {
    const { isOk, body } = response;
    if (!isOk) return refuse(response);
    const key = secret(body.connection);
    if (body.state === "open") return { status: "logged_in", key };
    return { status: "interaction_required", key, field: body.input, context: body.text };
  };

  return {
    baseUrl,

    async listProviders(options) {
      const response = await call("GET /banks", "/banks", options);
      if (!response.isOk) return refuse(response);
      const providers = response.body.map(({ id, title, country }: Record<string, string>) => ({
        code: id,
        name: title,
        country,
      }));
      return { status: "success", providers, skipped: 0 };
    },

    async getProvider(code, options) {
      const response = await call("GET /banks/{id}", `/banks/${encodeURIComponent(code)}`, options);
      if (!response.isOk) return refuse(response);
      const { title, country, inputs } = response.body;
      // `username` and `password` are the names that every bank has here. The others keep the gateway's.
      const names: Record<string, string> = { user: "username", pin: "password" };
      const auth_fields = inputs.map((input: { id: string; title: string; hidden?: true; later?: true }) => ({
        name: names[input.id] ?? input.id,
        type: input.hidden ? "password" : "text",
        interactive: input.later ?? false,
        optional: false,
        label_en: input.title,
      }));
      return { status: "success", provider: { name: title, country, auth_fields, account_type: [] }, skipped: 0 };
    },

    async login({ provider, username, password, ...rest }, options) {
      if (options?.key !== undefined) {
        const path = `/connections/${encodeURIComponent(open(options.key))}/answer`;
        const answers = Object.entries(rest).map(([name, text]) => [name, open(text)]);
        return toLogin(await call("POST /connections/{id}/answer", path, options, Object.fromEntries(answers)));
      }
      const values = { user: open(username), pin: open(password) };
      return toLogin(await call("POST /connections", "/connections", options, { bank: provider, values }));
    },

    async listTransferDestinations(key, options) {
      const path = `/connections/${encodeURIComponent(open(key))}/targets`;
      const response = await call("GET /connections/{id}/targets", path, options);
      if (!response.isOk) return refuse(response);
      const destinations = response.body.map(({ number, title }: { number: number; title: string }) => ({
        id: number,
        name: title,
      }));
      return { status: "success", destinations, skipped: 0 };
    },

    // The gateway has no clients to choose from: no login of its own says `select_client`.
    async listClients() {
      throw new BankError("response_against_contract", { request: "GET /client/" });
    },
    async selectClient() {
      throw new BankError("response_against_contract", { request: "GET /client/{id}/" });
    },

    async logout(key, options) {
      const path = `/connections/${encodeURIComponent(open(key))}`;
      const response = await call("DELETE /connections/{id}", path, options);
      return response.isOk ? { status: "logged_out" } : refuse(response);
    },
  };
}
