import { createDurableLoginClient } from "ventanilla/restate";
import { sandboxAccounts } from "ventanilla/sandbox";

// The person's side, in a process of its own: is told the ids of logins, and answers what the bank asks of each.

const { INGRESS: ingress = "", SEAL_KEY: sealKey = "" } = process.env;
const logins = createDurableLoginClient({ ingress, sealKey });

async function answer(id: string, username: string): Promise<void> {
  const account = sandboxAccounts.find((one) => one.provider === "test" && one.username === username);
  let outcome = await logins.resume(id);
  while (outcome.status === "interaction_required") {
    const right = account?.answers?.[outcome.interaction.number - 1]?.answer;
    if (right === undefined) throw new Error("nobody can answer");
    outcome = await outcome.answer(right);
  }
}

process.on("message", (message) => {
  const { id, username } = message as { id: string; username: string };
  answer(id, username).catch((error: unknown) => process.send?.({ id, failed: `${error}` }));
});
process.on("disconnect", () => process.exit());
process.stdout.write("{}\n");
