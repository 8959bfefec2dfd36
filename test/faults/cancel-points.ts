import type { Bank, Fault, Scene } from "./bank.ts";
import { hasty, noResponse, silentWithinTheBody } from "./connections.ts";
import type { Flow } from "./flow.ts";
import { loginOfALink, rests, type Wait, waits } from "./places.ts";

/** A point at which a person may cancel. */
export interface CancelPoint {
  readonly name: string;
  readonly machine: "login" | "link";
  readonly fault: Fault;
  /** The request that the fault is for. */
  readonly line: string;
  /** Brings a flow to the point and acts on it there. */
  at(bank: Bank, act: (flow: Flow) => void): Promise<unknown>;
  /** What the bank has seen by then, and will ever see. */
  readonly lines: readonly string[];
  /** Whether a request is without its response, so that the bank must see its connection go. */
  readonly isOpen: boolean;
}

// Whatever promises are to settle have done so by the next immediate.
const settled = () => new Promise((resolve) => setImmediate(resolve));

const during =
  (when: string, fault: Fault, isOpen: boolean, reached: (bank: Bank) => Promise<unknown>) =>
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

const beforeTheSend = ({ name, machine, line, drive, before }: Wait): CancelPoint => ({
  name: `before the send, in ${name}`,
  machine,
  fault: ({ pass }: Scene) => pass(),
  line,
  at: (bank, act) => drive(bank.client(), act),
  lines: before,
  isOpen: false,
});

const beforeTheHeaders = during("before the headers", noResponse, true, ({ arrived }) => arrived);
const withinTheBody = during("within the body", silentWithinTheBody, true, ({ headersCame }) =>
  headersCame.then(settled),
);
const in20Seconds = hasty("503 Later", () => "20");
const beforeARetry = during("before a retry", in20Seconds, false, ({ headersCame }) => headersCame.then(settled));

// On a connection that stands, a request may be out as soon as its event is in.
const isFirst = ({ before }: Wait) => before.length === 0;

export const cancelPoints: readonly CancelPoint[] = [
  ...waits.filter(isFirst).map(beforeTheSend),
  ...[...waits, loginOfALink].map(beforeTheHeaders),
  ...[...waits, loginOfALink].map(withinTheBody),
  ...waits.filter(({ kind }) => kind === "read").map(beforeARetry),
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
