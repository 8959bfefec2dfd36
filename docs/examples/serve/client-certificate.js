// For `ventanilla serve --service client-certificate.js`: a service that asks for a client certificate. It needs `npm install undici`, on Node 20
// `undici@7`.
import { readFileSync } from "node:fs";
import { Agent, fetch } from "undici";
import { createBankClient } from "ventanilla";

const { VENTANILLA_BASE_URL, VENTANILLA_API_KEY, CLIENT_CERTIFICATE, CLIENT_KEY } = process.env;

const dispatcher = new Agent({
  connect: { cert: readFileSync(CLIENT_CERTIFICATE), key: readFileSync(CLIENT_KEY) },
});

export default createBankClient({
  baseUrl: VENTANILLA_BASE_URL,
  apiKey: VENTANILLA_API_KEY,
  fetch: (input, init) => fetch(input, { ...init, dispatcher }),
});
