import { type BankClient, createBankClient } from "ventanilla";
import { SANDBOX_API_KEY, type ServedSandbox, serveSandbox } from "ventanilla/sandbox";
import { afterAll, beforeAll } from "vitest";

/** A sandbox on a port for the tests of one file, and a client of it. */
export function sandboxOnAPort(): { readonly url: string; readonly client: BankClient } {
  let served: ServedSandbox | undefined;
  beforeAll(async () => {
    served = await serveSandbox();
  });
  afterAll(() => served?.close());
  const url = (): string => {
    if (!served) throw new Error("The sandbox is not served yet");
    return served.url;
  };
  return {
    get url() {
      return url();
    },
    get client() {
      return createBankClient({ baseUrl: url(), apiKey: SANDBOX_API_KEY });
    },
  };
}
