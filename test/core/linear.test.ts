import { createBankClient, createCredentials, createRelayClient, describeFailure, interactionKind } from "ventanilla";
import { describe, expect, test } from "vitest";
import { searchProviders } from "../../src/core/view/provider-search.ts";

/** The shortest time of a call. What else runs beside it can only make it longer. */
function measure(call: () => unknown, rounds: number): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
  return Math.min(...times);
}

const SHORT = 200;
const TIMES_LONGER = 16;

const fill = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length));
const kind = (context: string, field = "otp") => interactionKind({ field, context });
const form = { provider: "test", username: "ana", password: "s3creto" };
const refused = (call: () => unknown) => {
  try {
    call();
  } catch {}
};

// 16 times the text takes about 16 times as long, or 256 times if each letter looks at all the others.
describe("takes no quadratic time:", () => {
  test.each<[what: string, call: (size: number) => unknown]>([
    ["the kind of a text full of verbs", (size) => kind(fill("confirm ", size))],
    ["the kind of a text full of verbs without spaces", (size) => kind(fill("confirm\u00e9", size))],
    ["the kind of a text with one long word", (size) => kind(`confirm${fill("a\u00e9", size)}`)],
    ["the kind of a text full of apps", (size) => kind(fill("app ", size))],
    ["the kind of a text with a picture in lines", (size) => kind(`data:image/png;base64,${fill("A\n", size)}`)],
    ["the kind of a field with a long name", (size) => kind("", fill("app_", size))],
    [
      "the address of a service with slashes",
      (size) => createBankClient({ baseUrl: `https://bank.example/${fill("/", size)}x`, apiKey: "k" }),
    ],
    ["the path of a relay with slashes", (size) => createRelayClient({ baseUrl: `/bank${fill("/", size)}x` })],
    [
      "the key of a service with spaces",
      (size) => refused(() => createBankClient({ baseUrl: "https://bank.example", apiKey: fill("a ", size) })),
    ],
    [
      "the countries of a relay",
      (size) => refused(() => createRelayClient({ baseUrl: "/bank", countries: [`${fill("UY,", size)}u`] })),
    ],
    [
      "credentials",
      (size) => createCredentials({ ...form, username: fill("a\u00e9", size), password: fill("\u{1f600}", size) }),
    ],
    ["a long option", (size) => refused(() => createCredentials({ ...form, [fill("a", size)]: "x" }))],
    ["a language", (size) => describeFailure("invalid_key", fill("en-", size))],
    [
      "a search in a long name",
      (size) => searchProviders([{ code: "a", name: fill("a ", size), country: "" }], { text: "a a a b" }),
    ],
    [
      "a search in a name of legal forms",
      (size) => searchProviders([{ code: "a", name: fill("S.A. ", size), country: "" }], { text: "sa" }),
    ],
  ])("%s", (_, call) => {
    const short = measure(() => call(SHORT), 40);
    const long = measure(() => call(TIMES_LONGER * SHORT), 5);
    expect(long / short).toBeLessThan(4 * TIMES_LONGER);
  });
});
