import { Session } from "node:inspector/promises";
import { findResponse, usernames } from "./canned.ts";
import { root } from "./entries.ts";

// `npm run bench -- calls`: how many functions a reader of one headless login meets, and how often they are called. `fetch` is a stub, so
// all that V8 counts below `dist` is ours. It counts the second login of a client: the first one also loads ofetch and fills the slots of the client's
// statechart. V8 counts an async function once more after each `await`.

interface Coverage {
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
  readonly counts: readonly (readonly [name: string, calls: number])[];
}

/** The named functions of `dist` that run, and their calls. */
async function count(run: () => Promise<unknown>): Promise<Coverage> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  // What was called before.
  await session.post("Profiler.takePreciseCoverage");
  await run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const own = result
    .filter(({ url }) => url.includes("/dist/") && !url.includes("/node_modules/"))
    .map(({ functions }) =>
      functions
        .map(({ functionName, ranges }) => [functionName, ranges[0]?.count ?? 0] as const)
        .filter(([name, calls]) => name !== "" && calls > 0),
    )
    .filter((functions) => functions.length > 0);
  const counts = own.flat();
  const calls = counts.reduce((sum, [, calls]) => sum + calls, 0);
  return { files: own.length, functions: counts.length, calls, counts };
}

const built = new URL("dist/src/index.js", root).href;
const { createBankClient, login }: typeof import("ventanilla") = await import(built);
const fetch = async (input: RequestInfo | URL, init?: RequestInit) =>
  new Response(findResponse(String(input), await new Response(init?.body ?? null).text()));
const client = createBankClient({ baseUrl: "http://bank.example", apiKey: "key", fetch });
const credentials = { provider: "test", username: usernames.plain, password: "password" };

const logIn = async () => {
  const { state } = await login(client, credentials, { settings: { validate: false } });
  if (state !== "loggedIn") throw new Error(`The login ended as ${state}.`);
};
await logIn();
const { files, functions, calls, counts } = await count(logIn);
console.log(`One headless login: ${functions} named functions of ours in ${files} files, ${calls} calls.`);
if (process.argv.includes("--list")) {
  for (const [name, calls] of counts.toSorted(([, left], [, right]) => right - left)) console.log(`${calls}  ${name}`);
}
