import { BankError } from "ventanilla";
import { expect, test } from "vitest";
import { openInteraction } from "./open-interaction.ts";
import { openStage } from "./stage.ts";

// Each worker once. `.ci/full` has ten.
const DEPLOYS = Number(process.env["VENTANILLA_DEPLOYS"] ?? 2);

test("deploys of a worker that drains at SIGTERM end no login, and send nothing twice", async () => {
  const stage = await openStage({ delay: () => 150 });
  const { logins, bank } = stage;
  let isDeploying = true;
  const ends: Record<string, number> = {};
  let begun = 0;

  /** One login after the other, while workers are replaced. */
  const logIn = async (person: number): Promise<void> => {
    for (let index = 0; isDeploying; index++) {
      begun += 1;
      const name = `p${person}-${index}`;
      try {
        const start = { name, provider: "test", username: `12345otp~${name}`, password: "asdfg" };
        const { state } = await (await openInteraction(logins, await logins.start(start))).answer("8888");
        ends[state] = (ends[state] ?? 0) + 1;
      } catch (error) {
        const code = error instanceof BankError ? error.code : String(error);
        ends[code] = (ends[code] ?? 0) + 1;
      }
    }
  };
  try {
    const people = Promise.all(Array.from({ length: 8 }, (_, person) => logIn(person)));
    for (let deploy = 0; deploy < DEPLOYS; deploy++) {
      // In the middle of the requests of several people.
      const before = bank.posted.length;
      await expect.poll(() => bank.posted.length).toBeGreaterThan(before + 4);
      await stage.deployWorker(deploy % 2);
    }
    isDeploying = false;
    await people;
    expect(ends).toEqual({ loggedIn: begun });
    expect(bank.posted.length).toBe(2 * begun);
    expect(new Set(bank.posted.map(({ text }) => text)).size).toBe(2 * begun);
  } finally {
    isDeploying = false;
    await stage.close();
  }
}, 300_000);
