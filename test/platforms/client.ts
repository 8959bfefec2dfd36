import process from "node:process";
import { BankError, createBankClient } from "ventanilla";
import type { RequestName } from "./table.ts";

/** What the client has to do for one row. */
export interface Task {
  /** Tasks of one lane come one after another. */
  readonly lane: number;
  readonly baseUrl: string;
  readonly request: RequestName;
  /** Whether another request comes first, so that its connection is there to be used again. */
  readonly isKept: boolean;
  readonly timeout: number;
  /** Whether the client has the option `fetch`, with a function that calls the platform's. Default false. */
  readonly hasFetch?: boolean;
}

/** How a request ended for the client. */
export interface Result {
  readonly code: string;
  readonly httpStatus?: number | undefined;
}

// The program that runs on each platform: it reads tasks, does them by the platform's own `fetch`, and prints their results.
let input = "";
for await (const chunk of process.stdin) input += String(chunk);
const tasks = JSON.parse(input) as Task[];
const results: Result[] = [];
const lanes = [...new Set(tasks.map(({ lane }) => lane))];
await Promise.all(
  lanes.map(async (lane) => {
    for (const [number, task] of tasks.entries()) if (task.lane === lane) results[number] = await run(task);
  }),
);
process.stdout.write(JSON.stringify(results));

async function run({ baseUrl, request, isKept, timeout, hasFetch }: Task): Promise<Result> {
  const client = createBankClient({
    baseUrl,
    apiKey: "api-key",
    retry: false,
    ...(hasFetch && { fetch: (input, init) => fetch(input, init) }),
  });
  const form = { provider: "test", username: "ana", password: "hunter two" };
  const sends: Record<RequestName, () => Promise<{ readonly status: string }>> = {
    login: () => client.login(form, { timeout }),
    answer: () => client.login({ ...form, otp: "8888" }, { key: "k", timeout }),
    selectClient: () => client.selectClient("k", "7", { timeout }),
    logout: () => client.logout("k", { timeout }),
  };
  try {
    if (isKept) {
      await client.listProviders();
      // A response's connection can be used again a turn after the response.
      await new Promise((resolve) => setTimeout(resolve));
    }
    return { code: (await sends[request]()).status };
  } catch (error) {
    if (!(error instanceof BankError)) return { code: String(error) };
    return { code: error.code, httpStatus: error.httpStatus };
  }
}
