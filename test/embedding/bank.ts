import * as ventanilla from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";

/** What a test's bank is made with. */
interface Options {
  /** The requests that are never answered, as method and path. */
  readonly held?: readonly string[];
  /** The requests whose connection breaks. */
  readonly broken?: readonly string[];
  /** Where ventanilla was loaded another time: what makes its client. */
  readonly createBankClient?: typeof ventanilla.createBankClient;
}

/** A client of the sandbox's bank that notes what is sent and what is given up. */
export function bank({ held = [], broken = [], createBankClient = ventanilla.createBankClient }: Options = {}) {
  const sandbox = createSandbox();
  const requests: string[] = [];
  const aborted: string[] = [];
  const client = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => {
      const request = new Request(input, init);
      const sent = `${request.method} ${new URL(request.url).pathname}`;
      requests.push(sent);
      return new Promise((resolve, reject) => {
        request.signal.addEventListener("abort", () => {
          aborted.push(sent);
          reject(request.signal.reason);
        });
        if (broken.includes(sent)) reject(new TypeError("fetch failed"));
        else if (!held.includes(sent)) resolve(sandbox(request));
      });
    },
  });
  return { client, requests, aborted };
}
