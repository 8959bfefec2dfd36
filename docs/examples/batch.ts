import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBankClient } from "ventanilla";
import { type BatchRow, batch } from "ventanilla/batch";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox();
const folder = await mkdtemp(join(tmpdir(), "batch-"));
const journal = join(folder, "june.journal"); // a file that stays as long as the batch may be run again
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

/** Logs in all of them, and prints how each login ended. */
async function run(...rows: BatchRow[]) {
  for await (const { id, outcome, fault } of batch(client, rows, { journal, concurrency: 1 })) {
    if (fault) console.log(id, fault.code, fault.field);
    else if (outcome.state === "failed") console.log(id, outcome.failure.code);
    else console.log(id, outcome.state);
  }
}

const ana = { id: "ana", provider: "test", username: "12345otp", password: "asdfg", onInteraction: () => "8888" };
const luis = { id: "luis", provider: "test", username: "12345", password: "not this one" };
await run(ana, luis);
await run(ana, luis); // as after a stop: nothing is sent again
await run({ ...luis, password: "gfdsa", attempt: 2 }); // unless you say so
await bank.close();
await rm(folder, { recursive: true });
