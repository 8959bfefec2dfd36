import { createBankClient } from "ventanilla";
import { readSession } from "./database.js";

const key = await readSession("ana", "test");
if (!key) throw new Error("There is no session yet: log in on the page first.");

const client = createBankClient({ baseUrl: process.env.BANK_URL, apiKey: process.env.API_KEY });
console.log(await client.listTransferDestinations(key));
