import { createBankClient, login } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { lifecycleTelemetry } from "ventanilla/telemetry";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

// One function for all logins, any number of them at once: `event.id` tells them apart.
const inspect = lifecycleTelemetry((event) => {
  console.log(event.type, event.provider, event.state, event.code);
  if (event.type === "interaction.required") console.log("asked for", event.field);
  if (event.type === "login.failed") console.log("a fault:", event.kind === "fault", "HTTP", event.httpStatus);
});
const options = { onInteraction: () => "8888", inspect };

await login(client, { provider: "test", username: "12345otp", password: "asdfg" }, options);
await login(client, { provider: "test", username: "12345", password: "wrong" }, options);
await bank.close();
