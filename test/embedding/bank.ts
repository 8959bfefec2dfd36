import * as ventanilla from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";

/** What a test's bank is made with. */
interface Options {
  /** The requests whose connection breaks, as method and path. */
  readonly broken?: readonly string[];
  /** Where ventanilla was loaded another time: what makes its client. */
  readonly createBankClient?: typeof ventanilla.createBankClient;
}

/** A client of the sandbox's bank that notes what is sent. */
export function bank({ broken = [], createBankClient = ventanilla.createBankClient }: Options = {}) {
  const sandbox = createSandbox();
  const requests: string[] = [];
  const client = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => {
      const request = new Request(input, init);
      const sent = `${request.method} ${new URL(request.url).pathname}`;
      requests.push(sent);
      return broken.includes(sent) ? Promise.reject(new TypeError("fetch failed")) : sandbox(request);
    },
  });
  return { client, requests };
}
