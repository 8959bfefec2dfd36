import { type BankClient, type CallOptions, type Secret, secret } from "ventanilla";

/** One request of the client, and how to get where it makes sense. */
export interface Endpoint {
  /** As errors name it. */
  readonly request: string;
  /** As the bank sees it. */
  readonly line: string;
  readonly kind: "login" | "read" | "once";
  /** Brings the session key that it needs, with requests of its own. */
  readonly prepare: (client: BankClient) => Promise<Secret>;
  /** What the bank sees of that. */
  readonly before: readonly string[];
  readonly call: (client: BankClient, key: Secret, options: CallOptions) => Promise<{ readonly status: string }>;
  /** What the bank says when nothing is wrong. */
  readonly says: string;
}

const plain = { provider: "test", username: "12345", password: "gfdsa" };
const interactive = { provider: "test", username: "12345otp", password: "asdfg" };
const selecting = { provider: "canal_pa", username: "newkey", password: "s3creto", company_code: "7701" };

export const passwords = [plain, interactive, selecting].map(({ password }) => password);

const keyless = async () => secret("no key is needed");
const keyAfter = (fields: typeof plain) => async (client: BankClient) => {
  const response = await client.login(fields);
  if (!("key" in response) || !response.key) throw new Error(`no key, but ${response.status}`);
  return response.key;
};

const aLogin = ["POST /login/"];

export const endpoints: readonly Endpoint[] = [
  {
    request: "POST /login/",
    line: "POST /login/",
    kind: "login",
    prepare: keyless,
    before: [],
    call: (client, _, options) => client.login(plain, options),
    says: "logged_in",
  },
  {
    request: "POST /login/",
    line: "POST /login/?key",
    kind: "login",
    prepare: keyAfter(interactive),
    before: aLogin,
    call: (client, key, options) => client.login({ ...interactive, otp: "8888" }, { ...options, key }),
    says: "logged_in",
  },
  {
    request: "GET /provider/",
    line: "GET /provider/",
    kind: "read",
    prepare: keyless,
    before: [],
    call: (client, _, options) => client.listProviders(options),
    says: "success",
  },
  {
    request: "GET /provider/{code}/",
    line: "GET /provider/test/",
    kind: "read",
    prepare: keyless,
    before: [],
    call: (client, _, options) => client.getProvider("test", options),
    says: "success",
  },
  {
    request: "GET /transfer/destinations",
    line: "GET /transfer/destinations?key",
    kind: "read",
    prepare: keyAfter(plain),
    before: aLogin,
    call: (client, key, options) => client.listTransferDestinations(key, options),
    says: "success",
  },
  {
    request: "GET /client/",
    line: "GET /client/?key",
    kind: "read",
    prepare: keyAfter(selecting),
    before: aLogin,
    call: (client, key, options) => client.listClients(key, options),
    says: "success",
  },
  {
    request: "GET /client/{id}/",
    line: "GET /client/0/?key",
    kind: "once",
    prepare: keyAfter(selecting),
    before: aLogin,
    call: (client, key, options) => client.selectClient(key, "0", options),
    says: "success",
  },
  {
    request: "GET /logout/",
    line: "GET /logout/?key",
    kind: "once",
    prepare: keyAfter(plain),
    before: aLogin,
    call: (client, key, options) => client.logout(key, options),
    says: "logged_out",
  },
];
