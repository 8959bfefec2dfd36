import fc from "fast-check";
import { type BankClient, BankError } from "ventanilla";
import { expect, test } from "vitest";
import { isSecret } from "../../../src/core/api/reveal.ts";
import { expectNoneOf } from "./faults.ts";
import { createClient, FORM, SECRETS, SESSION_KEY } from "./local-bank.ts";

// The statuses of responses and the codes of faults, by hand.
const statuses = [
  ...["success", "logged_in", "interaction_required", "select_client", "logged_out"],
  ...["wrong_credentials", "missing_credentials", "provider_doesnt_exist", "user_blocked", "max_sessions_reached"],
  ...["username_differs", "known_wrong"],
  ...["provider_unavailable", "missing_params", "not_implemented", "wrong_answer", "missing_answer"],
  ...["provider_session_expired", "provider_login_failed", "password_change_required", "logout_failed"],
  ...["wrong_client", "invalid_key", "unauthorized_provider", "api_key_refused"],
  ...["session_incomplete", "unexpected_status"],
];
const faultCodes = [
  ...["redirect_refused", "response_unreadable", "response_against_contract"],
  ...["rate_limited", "service_unavailable", "http_failed", "outcome_unknown"],
];

const labels = { label_en: "E", label_es: "S" };
const field = { name: "type", type: "choice", interactive: false, optional: true, ...labels };

// Each method with a valid response.
const methods: readonly [valid: object, call: (client: BankClient) => Promise<{ status: string; key?: unknown }>][] = [
  [{ status: "success", providers: [{ code: "a", country: "UY", name: "A" }] }, (client) => client.listProviders()],
  [
    {
      status: "success",
      provider: {
        name: "A",
        country: "UY",
        auth_fields: [{ ...field, choices: [{ name: "1", ...labels }], default: "1" }],
        account_type: [{ name: "pers", ...labels }],
        logo: "https://a.example/",
      },
    },
    (client) => client.getProvider("a"),
  ],
  [{ status: "logged_in", key: "k" }, (client) => client.login(FORM)],
  [{ status: "interaction_required", key: "k", context: "c", field: "f" }, (client) => client.login(FORM)],
  [{ status: "select_client", key: "k" }, (client) => client.login(FORM, { key: SESSION_KEY })],
  [{ status: "max_sessions_reached", key: "k" }, (client) => client.login(FORM)],
  [
    { status: "error", code: "B1002", type: "t", message: "m", description: { reason: ["r"] } },
    (client) => client.login(FORM),
  ],
  [
    { status: "success", destinations: [{ id: 1, name: "A" }] },
    (client) => client.listTransferDestinations(SESSION_KEY),
  ],
  [{ status: "success", clients: { "0": "A", "1": "B" } }, (client) => client.listClients(SESSION_KEY)],
  [{ status: "success", key: "k" }, (client) => client.selectClient(SESSION_KEY, "0")],
  [{ status: "logged_out" }, (client) => client.logout(SESSION_KEY)],
];

const anyMethod = fc.constantFrom(...methods.keys());
const anyCode = fc.oneof(
  fc.constantFrom(200, 200, 200, 204, 302, 401, 403, 429, 503),
  fc.integer({ min: 200, max: 599 }),
);
const headerText = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
const anyHeaders = fc.dictionary(
  fc.constantFrom("retry-after", "content-type", "content-length", "content-encoding", "location", "x-other"),
  headerText,
);

async function expectCoded(method: number, body: Uint8Array, status: number, headers: Record<string, string>) {
  const [, call] = methods[method] ?? expect.fail("no such method");
  const fetch = async () =>
    new Response([204, 205, 304].includes(status) ? null : new Blob([body.slice()]), { status, headers });
  const client = createClient("https://bank.example", { fetch, retry: { limit: 1, delay: 0, maxRetryAfter: 0 } });
  try {
    const response = await call(client);
    expect(statuses).toContain(response.status);
    if ("key" in response) expect(isSecret(response.key)).toBe(true);
  } catch (error) {
    if (!(error instanceof BankError)) throw error;
    expect(faultCodes).toContain(error.code);
    expect(error.httpStatus).toBe(status);
    expectNoneOf(SECRETS, error);
  }
}

const toBytes = (text: string) => new TextEncoder().encode(text);

test("each method turns any bytes, HTTP code and headers into a known status or fault", async () => {
  await fc.assert(fc.asyncProperty(anyMethod, fc.uint8Array({ maxLength: 200 }), anyCode, anyHeaders, expectCoded));
});

test("each method turns any object with a known status into a known status or fault", async () => {
  const status = fc.constantFrom(...statuses, "error", "__proto__", "constructor");
  const members = fc.constantFrom(
    ...["providers", "provider", "destinations", "clients", "key", "context", "field", "message", "code"],
    ...["description", "__proto__"],
  );
  const body = fc.tuple(fc.dictionary(members, fc.jsonValue({ maxDepth: 4 })), status);
  await fc.assert(
    fc.asyncProperty(anyMethod, body, anyCode, (method, [more, status], code) =>
      expectCoded(method, toBytes(JSON.stringify({ ...more, status })), code, {}),
    ),
  );
});

type Place = { readonly holder: Record<string, unknown>; readonly name: string };

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

const mutation = fc.record({
  at: fc.nat(),
  by: fc.constantFrom("delete", "replace", "nest", "list", "double"),
  value: fc.jsonValue({ maxDepth: 2 }),
});

function mutate(body: object, { at, by, value }: { at: number; by: string; value: unknown }): void {
  const places = placesIn(body);
  const place = places[at % places.length];
  if (!place) return;
  const { holder, name } = place;
  if (by === "delete") delete holder[name];
  else if (by === "replace") holder[name] = value;
  else if (by === "nest") holder[name] = { [name]: holder[name] };
  else if (by === "list") holder[name] = [holder[name], value];
  else holder[`${name}${name}`] = holder[name];
}

test("each method turns a valid response with its members mutated into a known status or fault", async () => {
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(anyMethod, mutations, anyCode, (method, changes, code) => {
      const body = structuredClone(methods[method]?.[0] ?? {});
      for (const change of changes) mutate(body, change);
      return expectCoded(method, toBytes(JSON.stringify(body)), code, {});
    }),
  );
});

test("each method reads its valid response", async () => {
  for (const [valid, call] of methods) {
    const client = createClient("https://bank.example", { fetch: async () => Response.json(valid) });
    const status = "status" in valid ? valid.status : undefined;
    expect((await call(client)).status).toBe(status === "error" ? "wrong_answer" : status);
  }
});
