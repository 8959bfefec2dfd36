import { type BankClient, secret } from "ventanilla";
import { expect, test } from "vitest";
import { startService } from "../bank/service.ts";
import { API_KEY, clientThatReads, createClient, FORM, localBank, SESSION_KEY } from "../core/api/local-bank.ts";
import { keyIn, known, readProvider, sandbox } from "./sandbox.ts";

const unknown = { json: { status: "unheard_of" } };
const form = { provider: "bancoazul", username: "a user", password: "pa+ss&w=ord%" };
const encoded = "provider=bancoazul&username=a+user&password=pa%2Bss%26w%3Dord%25";

type Call = (client: BankClient) => Promise<unknown>;

test.each<[sentence: string, request: string, Call, body?: string]>([
  ["4.1 the first login", "POST /login/", (client) => client.login(form), encoded],
  [
    "4.1 provider-specific fields, after the required ones and in the order given",
    "POST /login/",
    (client) => client.login({ ...form, company_code: "7701", type: "corp" }),
    `${encoded}&company_code=7701&type=corp`,
  ],
  [
    "3 and 5.4 the second login: the same fields, the interactive one and the key",
    `POST /login/?key=${SESSION_KEY}`,
    (client) => client.login({ ...form, otp: "8888" }, { key: SESSION_KEY }),
    `${encoded}&otp=8888`,
  ],
  ["4.2 a provider", "GET /provider/bcp_pers_pe_mock/", (client) => client.getProvider("bcp_pers_pe_mock")],
  ["4.2 a code that must be encoded", "GET /provider/a%3Fb%23c/", (client) => client.getProvider("a?b#c")],
  ["4.2 a code with letters", "GET /provider/%C3%B1and%C3%BA/", (client) => client.getProvider("ñandú")],
  ["4.3 the list of providers", "GET /provider/", (client) => client.listProviders()],
  [
    "4.4 and 5.3 the destinations",
    `GET /transfer/destinations?key=${SESSION_KEY}`,
    (client) => client.listTransferDestinations(secret(SESSION_KEY)),
  ],
  [
    "5.3 a key that must be encoded",
    "GET /transfer/destinations?key=a%26key=b%23c%2Bd+e%2520%2F%C3%B1",
    (client) => client.listTransferDestinations("a&key=b#c+d e%20/ñ"),
  ],
  ["4 not shown: the clients", `GET /client/?key=${SESSION_KEY}`, (client) => client.listClients(SESSION_KEY)],
  [
    "4 not shown: the choice of a client",
    `GET /client/FIC-02412222/?key=${SESSION_KEY}`,
    (client) => client.selectClient(SESSION_KEY, "FIC-02412222"),
  ],
  ["5 not shown: the end of a session", `GET /logout/?key=${SESSION_KEY}`, (client) => client.logout(SESSION_KEY)],
])("%s, as written", async (_, request, call, body = "") => {
  const { url, requests, lines } = await startService([unknown]);
  await call(createClient(url));
  expect(lines()).toEqual([request]);
  const [{ headers, body: sent } = expect.fail("nothing was sent")] = requests;
  expect(sent).toBe(body);
  expect(headers["content-type"]).toBe(body ? "application/x-www-form-urlencoded" : undefined);
  expect(headers["x-api-key"]).toBe(API_KEY);
  expect(JSON.stringify(headers)).not.toContain(SESSION_KEY);
  expect(Object.keys(headers).filter((name) => name.includes("version"))).toEqual([]);
});

test("1 all paths are relative to the base address", async () => {
  const { url, lines } = await startService(() => unknown);
  const client = createClient(`${url}/banking/v1`);
  await client.listProviders();
  await client.login(FORM);
  expect(lines()).toEqual(["GET /banking/v1/provider/", "POST /banking/v1/login/"]);
});

test("5.1 the API key given as a secret is sent as it is", async () => {
  const { url, requests } = await startService(() => unknown);
  await createClient(url, { apiKey: secret("k-1 2") }).listProviders();
  expect(requests[0]?.headers["x-api-key"]).toBe("k-1 2");
});

test.each(["provider", "username", "password"])("4.1 a login without %s is refused and never sent", async (name) => {
  const { client, requests } = localBank(unknown);
  const { [name]: _, ...others }: Record<string, string> = form;
  await expect(client().login(others as typeof form)).rejects.toMatchObject({ code: "missing_field", field: name });
  expect(requests).toEqual([]);
});

test("4.1 some providers require more than the three fields, as their detail says", async () => {
  const { auth_fields } = await readProvider("cordillera_cl");
  expect(auth_fields.map(({ name }) => name)).toContain("document_number");
  const minimal = known("minimo_bo", "plain");
  expect((await sandbox.login(minimal)).status).toBe("missing_credentials");
  expect((await sandbox.login({ ...minimal, document_number: "4455667" })).status).toBe("logged_in");
});

test("4.3 success carries status and all providers, in the service's order", async () => {
  const providers = [
    { code: "b", country: "UY", name: "B" },
    { code: "a", country: "AR", name: "A" },
  ];
  const client = clientThatReads({ json: { status: "success", providers } });
  expect(await client.listProviders()).toEqual({ status: "success", providers, skipped: 0 });
  const listed = await sandbox.listProviders();
  if (listed.status !== "success") expect.fail(listed.status);
  expect(listed.providers[0]).toEqual({ code: "test", country: "UY", name: "Banco de prueba" });
});

test("4.4 a session with nobody to transfer to lists none", async () => {
  const key = keyIn(await sandbox.login({ ...known("minimo_bo", "plain"), document_number: "4455667" }));
  expect(await sandbox.listTransferDestinations(key)).toEqual({ status: "success", destinations: [], skipped: 0 });
});
