import { mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type BatchJournal, type BatchOptions, type BatchResult, type BatchRow, batch } from "ventanilla/batch";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  asks,
  failed,
  type Line,
  loggedIn,
  openQuestion,
  openService,
  person,
  promised,
  type Reply,
  type Service,
  sessionKey,
  startSandbox,
  startService,
} from "../../bank/service.ts";
import { createMemoryJournal } from "./memory-journal.ts";

/** Rows with these ids, which are their users too. */
const rowsOf = (...ids: readonly string[]): BatchRow[] =>
  ids.map((id) => ({ ...person, id, username: id, settings: { validate: false } }));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);

/** The users whose logins the bank got. */
const sent = ({ requests }: Service) =>
  requests.filter(({ method }) => method === "POST").map(({ form }) => form["username"]);

const createOptions = (options: Partial<BatchOptions> = {}): BatchOptions => ({
  journal: createMemoryJournal(),
  ...options,
});

async function collect(results: AsyncIterable<BatchResult>): Promise<BatchResult[]> {
  const collected = [];
  for await (const result of results) collected.push(result);
  return collected;
}

/** Each result as its id and how it ended. */
const endings = (results: readonly BatchResult[]) =>
  results.map(({ id, outcome, fault }) => {
    if (fault) return [id, fault.code];
    return [id, outcome.state === "failed" ? outcome.failure.code : outcome.state];
  });

const begunBefore = { sent: true, fault: { code: "outcome_unknown", field: "journal" } };
const unknownKey: Reply = { json: { status: "error", message: "Key not found" }, http: 403 };

test("each row has a result with its id: an outcome, or a fault as a value", async () => {
  const bank = await startSandbox();
  const rows: BatchRow[] = [
    { id: "a", provider: "test", username: "12345", password: "gfdsa" },
    { id: "b", provider: "test", username: "12345", password: "wrong" },
    { id: "c", provider: "test", username: "12345otp", password: "asdfg", onInteraction: () => "8888" },
    {
      id: "d",
      provider: "test",
      username: "12345otp",
      password: "asdfg",
      onInteraction: () => {
        throw new RangeError();
      },
    },
    { id: "e", provider: "test", username: "12345", password: "" },
  ];
  const results = await collect(batch(bank.client(), rows, createOptions()));
  expect(Object.fromEntries(results.map(({ id, ...result }) => [id, result]))).toMatchObject({
    a: { sent: true, attempt: 1, provider: "test", outcome: { state: "loggedIn" } },
    b: { sent: true, outcome: failed("wrong_credentials", { httpStatus: expect.any(Number) }) },
    c: { sent: true, outcome: { state: "loggedIn" } },
    d: { sent: true, fault: { code: "handler_failed", field: "onInteraction" } },
    e: { sent: false, fault: { code: "invalid_input", field: "password" } },
  });
});

test("two batches at once with one journal send each login once", async () => {
  const bank = await startService(async () => loggedIn("k"));
  const ids = numbered(40);
  const options = createOptions();
  const runs = [batch(bank.client(), rowsOf(...ids), options), batch(bank.client(), rowsOf(...ids), options)];
  const results = (await Promise.all(runs.map(collect))).flat();
  expect(sent(bank).sort()).toEqual([...ids].sort());
  expect(results).toHaveLength(80);
  const known = results.filter(({ outcome }) => outcome?.state === "loggedIn");
  expect(known.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const { fault } of results.filter((result) => !known.includes(result))) {
    expect(fault).toMatchObject(begunBefore.fault);
  }
});

test("run again, a batch sends nothing; it sends a new attempt", async () => {
  const bank = await startService(async () => loggedIn("k"));
  const options = createOptions();
  const run = (more: Partial<BatchRow> = {}) =>
    collect(
      batch(
        bank.client(),
        rowsOf("a").map((row) => ({ ...row, ...more })),
        options,
      ),
    );
  await run();
  expect(await run()).toMatchObject([begunBefore]);
  expect(bank.requests).toHaveLength(1);
  expect(await run({ attempt: 2 })).toMatchObject([{ attempt: 2, outcome: { state: "loggedIn" } }]);
  expect(await run({ attempt: 2 })).toMatchObject([begunBefore]);
  expect(bank.requests).toHaveLength(2);
});

test("an id that comes twice is sent once", async () => {
  const bank = await startService(async () => loggedIn("k"));
  const results = await collect(batch(bank.client(), rowsOf("a", "a"), createOptions()));
  expect(endings(results).sort()).toEqual([
    ["a", "loggedIn"],
    ["a", "outcome_unknown"],
  ]);
  expect(sent(bank)).toEqual(["a"]);
});

test("a break cancels the logins that run, sends nothing more, and is over when they are", async () => {
  const bank = await startService(async ({ form }) => (form["username"] === "a" ? loggedIn("k") : "held"));
  let isClosed = false;
  async function* read() {
    try {
      yield* rowsOf("a", "b", "c", "d");
    } finally {
      isClosed = true;
    }
  }
  // The two arrive in any order.
  const arrivals = Promise.all([bank.arrival(1), bank.arrival(2)]);
  for await (const { id } of batch(bank.client(), read(), createOptions({ concurrency: 2 }))) {
    expect(id).toBe("a");
    await arrivals;
    break;
  }
  await (await arrivals).find(({ form }) => form["username"] === "b")?.abandoned;
  expect([sent(bank).sort(), isClosed]).toEqual([["a", "b"], true]);
});

test("a break does not wait for a row that never comes", async () => {
  const bank = await startService(async () => loggedIn("k"));
  async function* read() {
    yield* rowsOf("a");
    await new Promise(() => {});
  }
  for await (const { id } of batch(bank.client(), read(), createOptions())) {
    expect(id).toBe("a");
    break;
  }
});

test("after an abort no login is begun, and those that were have an unknown outcome", async () => {
  const bank = await startService(() => "held");
  const controller = new AbortController();
  const running = collect(
    batch(bank.client(), rowsOf("a", "b", "c"), createOptions({ concurrency: 2, signal: controller.signal })),
  );
  const logins = await Promise.all([bank.arrival(1), bank.arrival(2)]);
  controller.abort();
  expect(endings(await running).sort()).toEqual([
    ["a", "outcome_unknown"],
    ["b", "outcome_unknown"],
  ]);
  await Promise.all(logins.map(({ abandoned }) => abandoned));
  expect(sent(bank)).toHaveLength(2);
  const aborted = batch(bank.client(), rowsOf("d"), createOptions({ signal: AbortSignal.abort() }));
  expect(await collect(aborted)).toEqual([]);
});

test("a login that is aborted before it has left was not sent", async () => {
  const bank = await startService(() => "held");
  const controller = new AbortController();
  const rows = rowsOf("a").map((row) => ({ ...row, settings: { validate: true } }));
  const running = collect(batch(bank.client(), rows, createOptions({ signal: controller.signal })));
  // The read of the bank's fields.
  await bank.arrival(1);
  controller.abort();
  expect(await running).toMatchObject([{ sent: false, outcome: { state: "cancelled" } }]);
  expect(sent(bank)).toEqual([]);
});

test("no more logins are begun than results were taken, beside those that run", async () => {
  const bank = await startService(async () => loggedIn("k"));
  let read = 0;
  function* endless() {
    for (;;) {
      read += 1;
      yield* rowsOf(`user-${read}`);
    }
  }
  let taken = 0;
  for await (const _ of batch(bank.client(), endless(), createOptions({ concurrency: 2 }))) {
    taken += 1;
    if (taken === 5) break;
  }
  expect(sent(bank).length).toBeLessThanOrEqual(taken + 2);
  expect(read).toBeLessThanOrEqual(taken + 3);
});

const tooMany = (retryAfter: string): Line => ({ http: 429, text: "", headers: { "retry-after": retryAfter } });

test.each<[code: string, reply: Line, sent: boolean]>([
  ["api_key_refused", unknownKey, false],
  ["http_failed", { http: 401, text: "" }, true],
  ["outcome_unknown", { http: 403, text: "<html>Forbidden</html>" }, true],
  // Longer than a batch waits.
  ["rate_limited", tooMany("3600"), false],
])("stops at the first fault of the set-up: %s", async (code, reply, mayBeSent) => {
  const bank = await startService([reply]);
  const results = await collect(batch(bank.client(), rowsOf("a", "b"), createOptions({ concurrency: 1 })));
  expect(endings(results)).toEqual([["a", code]]);
  expect(results).toMatchObject([{ stop: "setUp", sent: mayBeSent }]);
  expect(sent(bank)).toEqual(["a"]);
});

test.each<[code: string, reply: Line, sent: boolean]>([
  ["service_unavailable", { http: 503, text: "" }, true],
  ["network_failed", "broken", true],
  ["outcome_unknown", { http: 200, text: '{"status":"logg' }, true],
  ["outcome_unknown", { http: 500, text: "" }, true],
  ["provider_unavailable", { http: 503, json: { status: "provider_unavailable" } }, true],
  ["rate_limited", tooMany("0"), false],
])("a passing fault costs its row alone: %s", async (code, reply, mayBeSent) => {
  const bank = await startService([reply, loggedIn("k")]);
  const results = await collect(batch(bank.client(), rowsOf("a", "b"), createOptions({ concurrency: 1 })));
  expect(endings(results)).toEqual([
    ["a", code],
    ["b", "loggedIn"],
  ]);
  expect(results[0]).toMatchObject({ sent: mayBeSent });
  expect(results[0]).not.toHaveProperty("stop");
});

test("stops at an address that has never connected, and goes on past one that has", async () => {
  const gone = await openService([]);
  await gone.close();
  const options = () => createOptions({ concurrency: 1 });
  expect(await collect(batch(gone.client(), rowsOf("a", "b"), options()))).toMatchObject([
    { id: "a", sent: false, stop: "setUp", fault: { code: "network_failed" } },
  ]);
  const restarted = await openService([loggedIn("k")]);
  const results = batch(restarted.client(), rowsOf("a", "b", "c"), options());
  expect((await results.next()).value).toMatchObject({ id: "a", outcome: { state: "loggedIn" } });
  await restarted.close();
  expect(endings(await collect(results))).toEqual([
    ["b", "network_failed"],
    ["c", "network_failed"],
  ]);
});

test("so many faults in a row end the batch, and a row that the bank has answered begins the count again", async () => {
  const busy: Line = { http: 503, text: "" };
  const bank = await startService([busy, busy, loggedIn("k"), busy, busy, busy]);
  const rows = numbered(9).map((id, index) => ({
    ...person,
    id,
    provider: `bank-${index}`,
    settings: { validate: false },
  }));
  const results = await collect(batch(bank.client(), rows, createOptions({ concurrency: 1, maxFaults: 3 })));
  expect(results.map(({ stop }) => stop)).toEqual([...Array(5).fill(undefined), "maxFaults"]);
  expect(bank.requests).toHaveLength(6);
});

test("after a drain no login is begun, and those that run go on to their end", async () => {
  const { promise, keep } = promised<void>();
  const bank = await startService(async () => {
    await promise;
    return loggedIn("k");
  });
  const drain = new AbortController();
  const running = collect(
    batch(bank.client(), rowsOf("a", "b", "c"), createOptions({ concurrency: 2, drain: drain.signal })),
  );
  await Promise.all([bank.arrival(1), bank.arrival(2)]);
  drain.abort();
  keep();
  expect(endings(await running).sort()).toEqual([
    ["a", "loggedIn"],
    ["b", "loggedIn"],
  ]);
  expect(bank.requests).toHaveLength(2);
});

test("what runs at the fault of the set-up goes on to its end", async () => {
  const { promise, keep } = promised<void>();
  const bank = await startService(async ({ form }) => {
    if (form["username"] === "b") return unknownKey;
    await promise;
    return loggedIn("k");
  });
  const results = batch(bank.client(), rowsOf("a", "b", "c"), createOptions({ concurrency: 2 }));
  expect((await results.next()).value).toMatchObject({ id: "b", stop: "setUp" });
  keep();
  expect(endings(await collect(results))).toEqual([["a", "loggedIn"]]);
  expect(sent(bank).sort()).toEqual(["a", "b"]);
});

test("goes on after the fault of one login", async () => {
  const bank = await startService([{ http: 500, text: "" }, loggedIn("k")]);
  const results = await collect(batch(bank.client(), rowsOf("a", "b"), createOptions({ concurrency: 1 })));
  expect(endings(results)).toEqual([
    ["a", "outcome_unknown"],
    ["b", "loggedIn"],
  ]);
});

test("a login whose fields could not be read is sent all the same", async () => {
  const bank = await startService([{ http: 503, text: "" }, loggedIn("k")]);
  const rows = rowsOf("a").map((row) => ({ ...row, settings: { validate: true } }));
  expect(await collect(batch(bank.client(), rows, createOptions()))).toMatchObject([
    { sent: true, outcome: { state: "loggedIn" } },
  ]);
});

test("a refused second login counts as sent", async () => {
  const bank = await startService([asks("otp", "k"), unknownKey]);
  const rows = rowsOf("a").map((row) => ({ ...row, onInteraction: () => "8888" }));
  expect(await collect(batch(bank.client(), rows, createOptions()))).toMatchObject([{ sent: true }]);
});

test("an open outcome outlives the loop", async () => {
  const bank = await startService([asks("otp", "k"), loggedIn("k2")]);
  const controller = new AbortController();
  const [result] = await collect(batch(bank.client(), rowsOf("a"), createOptions({ signal: controller.signal })));
  controller.abort();
  if (!result?.outcome) throw result?.fault;
  sessionKey(await openQuestion(result.outcome).answer("8888"));
});

describe("a journal of two functions", () => {
  test("is told each row before it is sent, and each result before the loop has it", async () => {
    const steps: unknown[] = [];
    const bank = await startService(async ({ form }) => {
      steps.push(["sent", form["username"]]);
      return loggedIn("k");
    });
    const journal: BatchJournal = {
      async begin({ id, attempt }) {
        await setImmediate();
        steps.push(["begun", id, attempt]);
        return true;
      },
      async end({ id, outcome }) {
        await setImmediate();
        steps.push(["ended", id, outcome?.state]);
      },
    };
    for await (const { id } of batch(bank.client(), rowsOf("a"), { journal })) steps.push(["taken", id]);
    expect(steps).toEqual([
      ["begun", "a", 1],
      ["sent", "a"],
      ["ended", "a", "loggedIn"],
      ["taken", "a"],
    ]);
  });

  test("that takes longer than any other function is waited for", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise, keep } = promised<boolean>();
    const bank = await startService(async () => loggedIn("k"));
    const running = collect(batch(bank.client(), rowsOf("a"), { journal: { begin: () => promise, end() {} } }));
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    keep(true);
    expect(endings(await running)).toEqual([["a", "loggedIn"]]);
  });

  test("that can't note a row sends it not, and ends the batch after the results of what was sent", async () => {
    const { promise, keep } = promised<void>();
    const bank = await startService(async () => {
      await promise;
      return loggedIn("k");
    });
    const broken = new Error("the database is down");
    const journal: BatchJournal = {
      begin({ id }) {
        if (id === "a") return true;
        keep();
        throw broken;
      },
      end() {},
    };
    const results = batch(bank.client(), rowsOf("a", "b", "c"), { journal, concurrency: 2 });
    expect(endings([(await results.next()).value as BatchResult])).toEqual([["a", "loggedIn"]]);
    await expect(results.next()).rejects.toMatchObject({ code: "handler_failed", field: "journal", cause: broken });
    expect(sent(bank)).toEqual(["a"]);
  });

  test("that can't keep a result gives it to the loop, begins no more rows, and lets the others end", async () => {
    const { promise, keep } = promised<void>();
    const bank = await startService(async ({ form }) => {
      if (form["username"] === "b") await promise;
      return loggedIn(`key of ${form["username"]}`);
    });
    const broken = new Error("the database is down");
    const journal: BatchJournal = {
      begin: () => true,
      end({ id }) {
        if (id === "a") throw broken;
      },
    };
    const results = batch(bank.client(), rowsOf("a", "b", "c"), { journal, concurrency: 2 });
    expect((await results.next()).value).toMatchObject({ id: "a", outcome: { state: "loggedIn" } });
    keep();
    expect((await results.next()).value).toMatchObject({ id: "b", outcome: { state: "loggedIn" } });
    await expect(results.next()).rejects.toMatchObject({ code: "handler_failed", field: "journal", cause: broken });
    expect(sent(bank).sort()).toEqual(["a", "b"]);
  });

  test.each([1, null, undefined])("that says %s of a row sends it not", async (answer) => {
    const bank = await startService([]);
    const journal = { begin: () => answer as unknown as boolean, end() {} };
    const fault = { code: "handler_failed", field: "journal" };
    await expect(collect(batch(bank.client(), rowsOf("a"), { journal }))).rejects.toMatchObject(fault);
    expect(bank.requests).toEqual([]);
  });
});

describe("a journal in a file", () => {
  const openPath = async () => {
    const folder = await mkdtemp(join(tmpdir(), "ventanilla-journal-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    return join(folder, "june.journal");
  };

  test("lets the next run send what the bank can't have had, and nothing else. It has no secret", async () => {
    const bank = await startService([loggedIn("key-1"), unknownKey, loggedIn("key-2")]);
    const options = { journal: await openPath(), concurrency: 1 };
    expect(endings(await collect(batch(bank.client(), rowsOf("a", "b", "c"), options)))).toEqual([
      ["a", "loggedIn"],
      ["b", "api_key_refused"],
    ]);
    const results = await collect(batch(bank.client(), rowsOf("a", "b"), options));
    expect(results).toMatchObject([
      { id: "a", sent: true, fault: { code: "outcome_unknown", field: "journal" } },
      { id: "b", outcome: { state: "loggedIn" } },
    ]);
    expect(sent(bank)).toEqual(["a", "b", "b"]);
    const text = await readFile(options.journal, "utf8");
    expect(text).toContain('"state":"logged_in"');
    for (const value of ["key-1", "key-2", person.password]) expect(text).not.toContain(value);
    expect((await stat(options.journal)).mode & 0o777).toBe(0o600);
  });

  test("is of one batch at a time", async () => {
    const { promise, keep } = promised<void>();
    const bank = await startService(async () => {
      await promise;
      return loggedIn("k");
    });
    const options = { journal: await openPath() };
    const first = collect(batch(bank.client(), rowsOf("a"), options));
    await bank.arrival(1);
    const fault = { code: "file_unusable", field: "journal", detail: `process ${process.pid} uses it` };
    await expect(collect(batch(bank.client(), rowsOf("b"), options))).rejects.toMatchObject(fault);
    keep();
    expect(endings(await first)).toEqual([["a", "loggedIn"]]);
    expect(endings(await collect(batch(bank.client(), rowsOf("b"), options)))).toEqual([["b", "loggedIn"]]);
  });

  test("is flushed once for many rows", async () => {
    const bank = await startService(async () => loggedIn("k"));
    const file = await open(await openPath(), "a");
    const flushed = vi.spyOn(Object.getPrototypeOf(file), "datasync");
    onTestFinished(() => flushed.mockRestore());
    await file.close();
    const ids = numbered(200);
    const rows = ids.map((id, index) => ({ ...person, id, provider: `bank-${index}`, settings: { validate: false } }));
    await collect(batch(bank.client(), rows, { journal: await openPath(), concurrency: 200 }));
    expect(flushed.mock.calls.length).toBeLessThan(200);
  });

  test("that is not there can be made, and one in no folder is refused before anything is sent", async () => {
    const bank = await startService([]);
    const journal = join(await openPath(), "nowhere");
    const fault = { code: "file_unusable", field: "journal", detail: "ENOENT" };
    await expect(collect(batch(bank.client(), rowsOf("a"), { journal }))).rejects.toMatchObject(fault);
    expect(bank.requests).toEqual([]);
  });
});

test("rows that can't be read on end the batch, after the results of what was sent", async () => {
  const bank = await startService(async () => loggedIn("k"));
  const broken = new Error("the table is locked");
  function* read() {
    yield* rowsOf("a");
    throw broken;
  }
  const results = batch(bank.client(), read(), createOptions());
  expect(endings([(await results.next()).value as BatchResult])).toEqual([["a", "loggedIn"]]);
  await expect(results.next()).rejects.toMatchObject({ code: "handler_failed", field: "rows", cause: broken });
});

test.each<[field: string, options: object, row?: object]>([
  ["journal", { journal: undefined }],
  ["journal", { journal: "" }],
  ["journal", { journal: { begin: () => true } }],
  ["concurrency", { concurrency: 0 }],
  ["concurrency", { concurrency: Number.POSITIVE_INFINITY }],
  ["perProvider", { perProvider: 1.5 }],
  ["maxFaults", { maxFaults: 0 }],
  ["id", {}, { id: "" }],
  ["id", {}, { id: 7 }],
  ["attempt", {}, { attempt: 0 }],
])("a wrong %s is refused, and nothing is sent: %o %o", async (field, options, row) => {
  const bank = await startService([]);
  const rows = [{ ...person, id: "a", ...row }];
  const running = collect(batch(bank.client(), rows, { ...createOptions(), ...options }));
  await expect(running).rejects.toMatchObject({ code: "invalid_input", field });
  expect(bank.requests).toEqual([]);
});

test("an unknown option is refused, and nothing is sent", async () => {
  const { service, client } = await startService([]).then((service) => ({ service, client: service.client() }));
  const options = { ...createOptions(), perBank: 1 };
  const fault = { code: "invalid_input", field: "perBank" };
  await expect(collect(batch(client, rowsOf("ana"), options))).rejects.toMatchObject(fault);
  expect(service.requests).toEqual([]);
});
