import { expect, test } from "vitest";
import { clientThatReads } from "./local-bank.ts";

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
