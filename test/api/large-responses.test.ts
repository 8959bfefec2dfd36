import { describe, expect, test } from "vitest";
import { Echoes } from "../../src/api/echo.ts";
import { createFingerprints } from "../../src/api/fingerprint.ts";
import { clientThatReads } from "./server.ts";

describe("the steps of Echoes.clear are proportional to the length of the text", () => {
  const secrets = [
    ["that begin alike", Array.from({ length: 29 }, (_, number) => `${"a".repeat(20 + number)}b`)],
    ["that are long", Array.from({ length: 29 }, (_, number) => `${"a".repeat(100_000)}${number}`)],
    ["that are regular expressions", Array.from({ length: 29 }, (_, number) => `${"(a+)+$".repeat(10)}${number}`)],
  ] as const;

  test.each(secrets)("with secrets %s", (_, values) => {
    const sent = values.flatMap((value) => createFingerprints(value, true));
    for (const text of ["a".repeat(1_000_000), "(a+)+$(a+)".repeat(100_000), values.join().slice(0, 1_000_000)]) {
      const echoes = new Echoes(sent);
      echoes.clear(text, Number.POSITIVE_INFINITY);
      // Each place once, and at most 2,000,000 characters of hashes.
      expect(echoes.steps).toBeLessThan(text.length + 2_100_000);
    }
  });

  test("and the rest of a text that would need more steps is masked", () => {
    const echoes = new Echoes(createFingerprints(`${"a".repeat(200)}b`, true));
    const text = echoes.clear(`${"a".repeat(100_000)}x`, Number.POSITIVE_INFINITY);
    expect(text).toMatch(/^a+\[secret\]$/);
  });
});

test("reads 50,000 banks with the default responseLimit", async () => {
  const providers = Array.from({ length: 50_000 }, (_, n) => ({
    code: `banco_${n}`,
    country: "UY",
    name: `Banco número ${n}`,
  }));
  const response = await clientThatReads({ json: { status: "success", providers } }).listProviders();
  expect("providers" in response && response.providers.length).toBe(50_000);
  expect("providers" in response && response.providers.at(-1)).toEqual(providers.at(-1));
});
