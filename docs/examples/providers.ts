import { createBankClient } from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";

const sandbox = createSandbox(); // the whole service in this process: no port, no network
const client = createBankClient({
  baseUrl: "http://sandbox",
  apiKey: SANDBOX_API_KEY,
  fetch: (input, init) => sandbox(new Request(input, init)),
});

const list = await client.listProviders();
if (list.status === "success") console.log(list.providers.find(({ code }) => code === "canal_pa"));

const response = await client.getProvider("canal_pa");
if (response.status === "success") {
  for (const field of response.provider.auth_fields) {
    console.log(`${field.name}: ${field.label_en}${field.interactive ? " (asked for later)" : ""}`);
  }
}
