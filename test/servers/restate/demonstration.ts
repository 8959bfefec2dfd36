import { BankError, describeFailure } from "ventanilla";
import { promised } from "../../bank/service.ts";
import { openInteraction } from "./open-interaction.ts";
import { openStage } from "./stage.ts";

// `npm run restate -- demonstration [logins]`: durable logins as they run in production, on one machine. Prints what happened.

const [count = 500] = process.argv.slice(2).map(Number);
const began = Date.now();
const say = (line: string) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(5)} s  ${line}`);

const stage = await openStage({ workers: 2, delay: () => 20 + Math.random() * 60 });
say(`the Restate server, two workers and the sandbox are up (${stage.server.ingress})`);

let over = 0;
const { promise: half, keep: onHalf } = promised();

const runLogin = async (index: number): Promise<string> => {
  const form = { provider: "test", username: `12345otp~${index}`, password: "asdfg" };
  const id = await stage.logins.start({ name: `login-${index}`, ...form });
  const end = await openInteraction(stage.logins, id)
    .then(({ answer }) => answer("8888"))
    .then(() => stage.logins.wait(id))
    .then(
      ({ state }) => state as string,
      (error: unknown) => (error instanceof BankError ? error.code : `${error}`),
    );
  if (++over >= count / 2) onHalf();
  return end;
};

const ends = Promise.all(
  Array.from({ length: count }, async (_, index) => {
    // As people come: not all in the same instant.
    await new Promise((resolve) => setTimeout(resolve, index * 8));
    return runLogin(index);
  }),
);
await half;
say(`${over} of ${count} logins are over: worker ${stage.workers[0]?.process.pid} is killed with -9`);
await stage.replaceWorker(0);
say(`a new worker, ${stage.workers[0]?.process.pid}, is in its place`);

const counts: Record<string, number> = {};
for (const end of await ends) counts[end] = (counts[end] ?? 0) + 1;
say(
  `all ${count} logins have ended: ${Object.entries(counts)
    .map(([end, times]) => `${times} ${end}`)
    .join(", ")}`,
);
if (counts["outcome_unknown"]) say(`a person with outcome_unknown reads: ${describeFailure("outcome_unknown").text}`);

const { posted } = stage.bank;
const texts = new Set(posted.map(({ text }) => text));
const opened = posted.filter(({ status }) => status === "logged_in").length;
say(
  `the bank saw ${posted.length} requests, ${posted.length - texts.size} of them twice, and opened ${opened} sessions`,
);
await stage.close();

const loggedIn = counts["loggedIn"] ?? 0;
const known = loggedIn + (counts["outcome_unknown"] ?? 0) === count;
const isRight = known && texts.size === posted.length && loggedIn <= opened && loggedIn > 0;
say(isRight ? "none lost, none sent twice" : "SOMETHING IS WRONG");
process.exitCode = isRight ? 0 : 1;
