import { BankError } from "ventanilla";
import { expect, test } from "vitest";
import { describeFault } from "../../../../src/programs/cli/serve/serve-log.ts";

const createStoreFault = (cause: unknown) => new BankError("handler_failed", { field: "store" }, cause);

test.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", {}],
  ["READONLY You can't write against a read only replica.", {}],
  ['could not extend file "base/5/16384": No space left on device', { code: "53100" }],
])("a fault of a store has the words of the database: %.30s…", (words, more) => {
  const cause = Object.assign(new Error(words), more);
  expect(describeFault(createStoreFault(cause))).toMatchObject({ said: words, cause: Object.values(more)[0] });
  // A rate limit that is counted in the store fails by its store.
  const limit = new BankError("handler_failed", { field: "rateLimit" }, createStoreFault(cause));
  expect(describeFault(limit)).toMatchObject({ error: "handler_failed", field: "rateLimit", said: words });
});

test.each([
  ["redis://ana:pa$$@db.example:6379 is away", "redis://…@db.example:6379 is away"],
  ["postgres://ana:s3cret@db/x?password=s3cret&a=b\nfailed", "postgres://…@db/x?password=…&a=b failed"],
])("the password of an address is in no line: %s", (words, said) => {
  expect(describeFault(createStoreFault(new Error(words)))).toMatchObject({ said });
});

test("a fault of the platform has its code, and not its path", () => {
  const cause = Object.assign(new Error("ENOSPC: no space left on device, open '/srv/x'"), {
    code: "ENOSPC",
    syscall: "open",
  });
  expect(describeFault(createStoreFault(cause))).toMatchObject({ cause: "ENOSPC", said: undefined });
});

test("what another function has thrown is not repeated", () => {
  const fault = new BankError("handler_failed", { field: "onEnd" }, new Error("https://shop.example/?canary=1"));
  expect(JSON.stringify(describeFault(fault))).not.toContain("canary");
});
