import fc from "fast-check";
import { type BankClient, type BankClientOptions, BankError } from "ventanilla";
import { expect, test } from "vitest";
import { API_KEY, createClient, FORM, LOCAL_URL } from "./local-bank.ts";

const codeUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 });
const words = (text: string): string[] => text.split(" ");
const nasty = fc.constantFrom(
  ...words(". .. ... ../login / //evil.example/ \\ a/b %2e%2e %2F % %00 %ZZ + ?key=x # &key=x = ; '\"<> ñ 🐦 a@b:c"),
  ...words("__proto__ constructor key provider username password [secret]"),
  ...["", " ", "\r\n", "a\r\nx-injected: 1", "\0", "\ud800", "\udc00\ud800", "\ufeff", "\ufffd"],
);
const anyText = fc.oneof(
  nasty,
  fc.string({ unit: "binary", maxLength: 20 }),
  codeUnits.map((units) => String.fromCharCode(...units)),
  fc.tuple(nasty, fc.string(), nasty).map((parts) => parts.join("")),
);

const isWellFormed = (text: string): boolean => {
  try {
    return encodeURIComponent(text).length >= 0;
  } catch {
    return false;
  }
};
const isSendable = (text: string): boolean => text !== "" && text !== "[secret]" && isWellFormed(text);
// Still one segment if a proxy decodes it, once or twice.
const isSegment = (text: string): boolean =>
  text !== "." && !["..", "/", "\\", "%"].some((part) => text.includes(part)) && !/\p{Cc}/u.test(text);
const isHeader = (text: string): boolean => /^[\x20-\x7e]+$/.test(text) && text.trim() === text;

interface Sent {
  readonly method: string | undefined;
  readonly url: URL;
  /** The path's segments, decoded as a server would. */
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Headers;
  readonly form: readonly (readonly [string, string])[];
}

/** The request that a call sends, or `undefined` if its input was refused. */
async function sentBy(
  call: (client: BankClient) => Promise<unknown>,
  options: Partial<BankClientOptions> = {},
): Promise<Sent | undefined> {
  const sent: Sent[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    // The platform's own checks: a header that can't be sent or an address that can't be parsed throws here.
    const request = new Request(input, init);
    const url = new URL(request.url);
    sent.push({
      method: request.method,
      url,
      segments: url.pathname.split("/").map(decodeURIComponent),
      query: [...url.searchParams],
      headers: request.headers,
      form: [...new URLSearchParams(await request.text())],
    });
    return Response.json({ status: "unheard_of" });
  };
  try {
    await call(createClient(`${LOCAL_URL}/v1`, { fetch, ...options }));
  } catch (error) {
    if (!(error instanceof BankError)) throw error;
    expect(["invalid_input", "secret_unavailable"]).toContain(error.code);
    expect(sent).toEqual([]);
    return undefined;
  }
  expect(sent).toHaveLength(1);
  expect(sent[0]?.url.origin).toBe("https://bank.example");
  expect(sent[0]?.url.hash).toBe("");
  expect([...(sent[0]?.headers.keys() ?? [])].filter((name) => name.includes("injected"))).toEqual([]);
  return sent[0];
}

test("a provider code is sent as one segment of the path, or is refused", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (code) => {
      const sent = await sentBy((client) => client.getProvider(code));
      expect(sent !== undefined).toBe(isSendable(code) && isSegment(code));
      if (!sent) return;
      expect(sent.segments).toEqual(["", "v1", "provider", code, ""]);
      expect([sent.method, sent.query, sent.form]).toEqual(["GET", [], []]);
    }),
  );
});

test("a client id is sent as one segment and a session key as one query value, or they are refused", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (client, key) => {
      const sent = await sentBy((bank) => bank.selectClient(key, client));
      expect(sent !== undefined).toBe(isSendable(client) && isSegment(client) && isSendable(key));
      if (!sent) return;
      expect(sent.segments).toEqual(["", "v1", "client", client, ""]);
      expect(sent.query).toEqual([["key", key]]);
    }),
  );
});

test("names and values of a login form are sent unchanged, with the key in the query, or are refused", async () => {
  const fields = fc.array(fc.tuple(anyText, anyText), { maxLength: 5 }).map((pairs) => new Map(pairs));
  await fc.assert(
    fc.asyncProperty(fields, anyText, async (extra, key) => {
      const all = new Map([...Object.entries(FORM), ...extra]);
      const form: typeof FORM = Object.fromEntries(all) as typeof FORM;
      const sent = await sentBy((client) => client.login(form, { key }));
      // The contract's own name for the session.
      const isKeyNamed = [...all.keys()].some((name) => name.toLowerCase() === "key");
      // A text that a secret leaves behind is refused as a value. As a name it has lost nothing.
      const names = [...all.keys()].filter((name) => name !== "[secret]");
      expect(sent !== undefined).toBe([...names, ...all.values(), key].every(isSendable) && !isKeyNamed);
      if (!sent) return;
      expect(new Map(sent.form)).toEqual(all);
      expect(sent.form).toHaveLength(all.size);
      expect([sent.url.pathname, sent.query]).toEqual(["/v1/login/", [["key", key]]]);
      expect(sent.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    }),
  );
});

test("a session key in the header is sent unchanged and changes no other header, or is refused", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (key) => {
      const sent = await sentBy((client) => client.listTransferDestinations(key), { sessionKeyIn: "header" });
      expect(sent !== undefined).toBe(isSendable(key) && isHeader(key));
      if (!sent) return;
      expect(sent.url.href).toBe("https://bank.example/v1/transfer/destinations");
      expect(Object.fromEntries(sent.headers)).toEqual({
        accept: "application/json",
        "cache-control": "no-store",
        "user-agent": "ventanilla",
        "x-api-key": API_KEY,
        "x-session-key": key,
      });
    }),
  );
});

test("an API key and a user agent are sent unchanged, or are refused", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (apiKey, userAgent) => {
      const sent = await sentBy((client) => client.listProviders(), { apiKey, userAgent });
      expect(sent !== undefined).toBe(isSendable(apiKey) && isHeader(apiKey) && isHeader(userAgent));
      if (!sent) return;
      expect([sent.headers.get("x-api-key"), sent.headers.get("user-agent")]).toEqual([apiKey, userAgent]);
    }),
  );
});

test("the option choice of getProvider is sent unchanged, or is refused", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (field, value) => {
      const sent = await sentBy((client) => client.getProvider("a", { choice: { field, value } }));
      if (!sent) return;
      expect(sent.query).toEqual([
        ["key", field],
        ["value", value],
      ]);
      expect(sent.segments).toEqual(["", "v1", "provider", "a", ""]);
    }),
  );
});
