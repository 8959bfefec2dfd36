import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { formatLine } from "../faults/wire.ts";
import { programs } from "../programs.ts";
import type { Result } from "./client.ts";
import { codeFaults, connectionFaults, createRows, type Fault, type RequestName, type Row, requests } from "./table.ts";
import { openTableBank, type TableBank } from "./table-bank.ts";

const misdirected = codeFaults.find(({ httpStatus }) => httpStatus === 421) as Fault;

/** What a platform's `fetch` makes of a response, other than to pass it on. */
export type Exceptions = (row: Row) => string | undefined;

/** Node's, as the standard has it, hides a response that asks for a proxy's password. */
export const proxyPassword: Exceptions = ({ fault }) => (fault.httpStatus === 407 ? "network_failed" : undefined);

interface PlatformOptions {
  /** Default none. */
  readonly exceptions?: Exceptions;
  /** Default every one from 400 to 599. */
  readonly codes?: readonly Fault[];
  /** The requests that are the first one of a process. Default all. */
  readonly first?: readonly RequestName[];
}

/** The tests of one platform: its `fetch` sends each request of the table once. */
export function sendsOnce(
  runtime: readonly string[],
  {
    exceptions = () => undefined,
    codes = codeFaults,
    first = Object.keys(requests) as RequestName[],
  }: PlatformOptions = {},
): void {
  const run = programs(new URL("client.ts", import.meta.url));
  const rows = createRows(codes);
  let bank: TableBank;
  let results: readonly Result[];

  beforeAll(async () => {
    bank = await openTableBank(rows);
    const input = JSON.stringify(bank.tasks);
    // Hundreds of requests: on a busy machine they take a minute.
    const { code, printed, complaints } = await run("client", { runtime, input, timeout: 280_000 });
    expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
    results = JSON.parse(printed) as Result[];
  }, 300_000);

  afterAll(() => bank.close());

  const alone = async (request: RequestName, faults: readonly Fault[], hasFetch: boolean) => {
    const toRow = (fault: Fault) => ({ name: fault.name, fault, request, isKept: fault !== misdirected });
    const fresh = await openTableBank(faults.map(toRow));
    onTestFinished(() => fresh.close());
    const input = JSON.stringify(fresh.tasks.map((task) => ({ ...task, hasFetch })));
    const { printed } = await run("client", { runtime, input, timeout: 60_000 });
    return { begun: fresh.sightings.map(({ begun }) => begun), results: JSON.parse(printed) as unknown };
  };

  test.each(first)("HTTP 421, %s as the first request of its process", async (name) => {
    const { begun, results } = await alone(name, [misdirected], false);
    expect(begun).toEqual([1]);
    expect(results).toEqual([{ code: "outcome_unknown", httpStatus: 421 }]);
  });

  test("HTTP 421 and three breaks of a connection, to logins with the option fetch", async () => {
    expect((await alone("login", [misdirected, ...connectionFaults.slice(0, 3)], true)).begun).toEqual([1, 1, 1, 1]);
  });

  describe.each(Object.keys(requests) as RequestName[])("%s", (request) => {
    test.each([
      ["every HTTP code that says that something is wrong", codes],
      ["every break of a connection", connectionFaults],
    ])("%s", (_, faults) => {
      const own = [...rows.entries()].filter(([, row]) => row.request === request && faults.includes(row.fault));
      const seen = own.map(([number, row]) => {
        const { begun, isReused, whole = [] } = bank.sightings[number] ?? {};
        return { row: row.name, begun, isReused, whole: whole.map(toLine), result: results[number] };
      });
      const expected = own.map(([, row]) => {
        return {
          row: row.name,
          begun: 1,
          isReused: false,
          whole: expectedLines(row),
          result: expectedResult(row, exceptions(row)),
        };
      });
      expect(seen).toEqual(expected);
      expect(seen.length).toBeGreaterThanOrEqual(faults.length);
    });
  });
}

type Whole = ReturnType<typeof toLine>;

function toLine(request: Parameters<typeof formatLine>[0] & { readonly body: string }) {
  const { method, target, body } = request;
  return { line: formatLine({ method, target: target.replace(/^\/\d+/, "") }), body };
}

function expectedLines({ request, fault }: Row): unknown {
  const answer = request === "answer" ? "&otp=8888" : "";
  const body = requests[request].startsWith("POST") ? `provider=test&username=ana&password=hunter+two${answer}` : "";
  const one: Whole[] = [{ line: requests[request], body }];
  if (fault.at !== "first byte") return one;
  return expect.toSatisfy((whole: Whole[]) => whole.length <= 1, "at most one");
}

function expectedResult({ fault }: Row, exception: string | undefined): unknown {
  if (exception !== undefined) return { code: exception };
  const code = expect.toSatisfy((result) => fault.codes.includes(result), `one of ${fault.codes.join(", ")}`);
  return expect.objectContaining(fault.httpStatus === undefined ? { code } : { code, httpStatus: fault.httpStatus });
}
