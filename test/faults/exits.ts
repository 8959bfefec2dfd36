import { cleanPoints } from "./cancel-points.ts";
import { openFaultyBank } from "./faulty-bank.ts";

// A program of its own, run by cancelling.test.ts: tells what keeps the process alive once a flow was given up.

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** All but the program's own output. */
const leftOver = () =>
  process.getActiveResourcesInfo().filter((resource) => !/^(Immediate|PipeWrap|TTYWrap|FSReqCallback)$/.test(resource));

for (const { name, fault, line, at } of cleanPoints) {
  const bank = await openFaultyBank(fault, line);
  bank.unref();
  await at(bank, (flow) => flow.cancel());
  // A connection takes some turns to go.
  const deadline = performance.now() + 2000;
  while (leftOver().length > 0 && performance.now() < deadline) await nextTurn();
  process.stdout.write(`${JSON.stringify({ point: name, left: leftOver() })}\n`);
}
