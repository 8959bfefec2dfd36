import type { Fault, FaultyBank } from "./faulty-bank.ts";
import { type Flow, isRead, loginOfALink, rests, type Wait, waits } from "./places.ts";
import { formatResponse } from "./wire.ts";

/** A point at which a person may cancel. */
interface CancelPoint extends Pick<Wait, "name" | "machine"> {
  readonly fault: Fault;
  /** The request that the fault is for. */
  readonly line: string;
  /** Brings a flow to the point and calls the function there. */
  at(bank: FaultyBank, act: (flow: Flow) => void): Promise<unknown>;
  /** All requests that the bank gets. */
  readonly lines: readonly string[];
  /** Whether a request has no response yet, so that the bank must see its connection close. */
  readonly isOpen: boolean;
  /** Whether ofetch waits before a retry: its timer can't be cleared, and fires without effect. */
  readonly isWaiting?: boolean;
}

// Promises that can settle have done so by the next immediate.
const settled = () => new Promise((resolve) => setImmediate(resolve));

const during =
  (when: string, fault: Fault, isOpen: boolean, reached: (bank: FaultyBank) => Promise<unknown>) =>
  ({ name, machine, line, drive, before }: Wait): CancelPoint => ({
    name: `${when}, in ${name}`,
    machine,
    fault,
    line,
    at: async (bank, act) => {
      const flow = await drive(bank.client());
      await reached(bank);
      act(flow);
    },
    lines: [...before, line],
    isOpen,
  });

const noResponse = () => {};
const halfABody = 'HTTP/1.1 200 OK\r\ncontent-length: 60\r\n\r\n{"status":"succ';
const in20Seconds = formatResponse("503 Later", "", { "retry-after": "20" });
const beforeTheHeaders = during("before the headers", noResponse, true, ({ arrived }) => arrived);
const withinTheBody = during(
  "within the body",
  ({ socket }) => socket.write(halfABody),
  true,
  ({ headersCame }) => headersCame.then(settled),
);
const beforeARetry = during(
  "before a retry",
  ({ socket }) => socket.write(in20Seconds),
  false,
  ({ headersCame }) => headersCame.then(settled),
);

export const cancelPoints: readonly CancelPoint[] = [
  // On a connection that stands, a request may be out as soon as its event is in: only a flow's first request is not.
  ...waits
    .filter(({ before }) => before.length === 0)
    .map(
      ({ name, machine, line, drive }): CancelPoint => ({
        name: `before the send, in ${name}`,
        machine,
        fault: ({ pass }) => pass(),
        line,
        at: (bank, act) => drive(bank.client(), act),
        lines: [],
        isOpen: false,
      }),
    ),
  ...[...waits, loginOfALink].flatMap((wait) => [beforeTheHeaders(wait), withinTheBody(wait)]),
  ...waits.filter(({ line }) => isRead(line)).map((wait) => ({ ...beforeARetry(wait), isWaiting: true })),
  ...rests.map(
    ({ name, machine, drive, before, state }): CancelPoint => ({
      name,
      machine,
      fault: noResponse,
      line: "none",
      at: async (bank, act) => {
        const flow = await drive(bank.client());
        await flow.until(state);
        act(flow);
      },
      lines: before,
      isOpen: false,
    }),
  ),
];

/** The points at which nothing may stay. */
export const cleanPoints = cancelPoints.filter(({ isWaiting }) => !isWaiting);
