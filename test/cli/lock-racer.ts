import { createInterface } from "node:readline";
import { lock } from "../../src/cli/batch/lock.ts";

// Takes each lock that it reads the path of, and says what came of it.
console.log("ready");
for await (const path of createInterface({ input: process.stdin })) {
  const result = await lock(path).then(
    () => "won",
    ({ detail }) => detail,
  );
  console.log(result);
}
