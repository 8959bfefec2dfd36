import { BankError, createBankClient, login } from "ventanilla";
import { createSandbox, SANDBOX_API_KEY, type SandboxBank } from "ventanilla/sandbox";

const bank: SandboxBank = {
  code: "mi_banco",
  country: "UY",
  name: "Mi Banco",
  auth_fields: [
    { name: "username", type: "text", interactive: false, label_es: "Documento" },
    { name: "password", type: "password", interactive: false, label_es: "Clave" },
    { name: "company_code", type: "text", interactive: false, label_es: "Código de empresa" },
    { name: "token", type: "text", interactive: true, label_es: "Token" },
  ],
  destinations: [{ id: 1, name: "Otro Banco" }],
  accounts: [
    {
      username: "ana",
      password: "s3creto",
      fields: { company_code: "7701" },
      answers: [{ field: "token", context: "Código del token", answer: "123456" }],
    },
    { username: "luis", password: "s3creto", refusal: { http: 403, body: { status: "user_blocked" } } },
  ],
};

const sandbox = createSandbox({ banks: [bank] }); // serveSandbox({ banks }) on a port
const client = createBankClient({
  baseUrl: "http://sandbox.test",
  apiKey: SANDBOX_API_KEY,
  fetch: (input, init) => sandbox(new Request(input, init)),
});
const outcome = await login(
  client,
  { provider: "mi_banco", username: "ana", password: "s3creto", fields: { company_code: "7701" } },
  {
    onInteraction: ({ context }) => {
      console.log("asked:", context);
      return "123456";
    },
  },
);
console.log(outcome.state);

// A bank that contradicts itself is refused: this one asks for a field that its form does not have.
try {
  createSandbox({ banks: [{ ...bank, auth_fields: bank.auth_fields?.slice(0, 3) ?? [] }] });
} catch (error) {
  if (error instanceof BankError) console.log(error.code, error.field);
}
