import * as ventanilla from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";

/** A client of the sandbox's bank that notes what is sent. @param createBankClient of another copy of ventanilla. */
export function bank(createBankClient = ventanilla.createBankClient) {
  const sandbox = createSandbox();
  const requests: string[] = [];
  const client = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => {
      const request = new Request(input, init);
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return sandbox(request);
    },
  });
  return { client, requests };
}
