import { createBankClient, login } from "ventanilla";
import { inspectRecording } from "ventanilla/inspect";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

const recorder = inspectRecording();
const outcome = await login(
  client,
  { provider: "faro_uy", username: "blocked", password: "s3creto" },
  {
    onInteraction: () => null,
    inspect: recorder.inspect,
  },
);
await bank.close();

const trace = recorder.trace();
const json = JSON.stringify(trace); // trace.json, for the bug report
console.log(outcome.state, json.includes("s3creto"));

const states = trace.events.flatMap((event) => (event.type === "@xstate.snapshot" ? [event.snapshot] : []));
console.log(states.at(-1)?.value, states.at(-1)?.context);
