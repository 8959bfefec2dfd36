import { BankError, type RefusalMemory } from "../../../index.ts";
import { flag, group, option } from "../arguments.ts";
import type { CommandContext } from "../command.ts";
import { readSealKeys, type sealOptions } from "./session-key.ts";
import { findStore, type OpenStore, openStore } from "./stores.ts";

const FIELD = "--refusals";

/** Where a command remembers what banks have refused. */
export const memoryOptions = group("Refused forms", {
  refusals: option(
    "place",
    "Where all runs remember what banks have refused, so that it is not sent again; a person at a page is warned: folder:PATH, redis://… or postgres://… (VENTANILLA_REFUSALS); it needs the seal key",
  ),
});

/** The same of a command whose logins can be sent all the same. */
export const refusalOptions = {
  ...memoryOptions,
  ...group("Refused forms", {
    "ignore-known-refusal": flag("Send what --refusals knows as refused: the bank may take it by now"),
  }),
} as const;

type RefusalContext = CommandContext<typeof memoryOptions & typeof sealOptions>;

/**
 * Opens the memory of `--refusals`. A place that can't be one ends the command; a database that can't be reached does not: each login asks for it again.
 *
 * @param onError gets the faults of the store. Default: they are said once.
 */
export async function openRefusals(
  { values, program, output }: Pick<RefusalContext, "values" | "program" | "output">,
  onError?: NonNullable<RefusalMemory["onError"]>,
): Promise<{ readonly memory: RefusalMemory | undefined; close(): Promise<void> }> {
  const place = findStore(FIELD, "VENTANILLA_REFUSALS", values.refusals, program.environment);
  if (place === undefined) return { memory: undefined, close: async () => {} };
  const key = await readSealKeys(values, program, output);
  // One connection, however many logins ask for it at once.
  let opening: Promise<OpenStore> | undefined;
  const find = async () => {
    opening ??= openStore(FIELD, place);
    try {
      return (await opening).store;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  await find().catch((error: unknown) => {
    if (error instanceof BankError) throw error;
  });
  let isSaid = false;
  const say = () => {
    if (!isSaid) output.say(output.text("refusalsFailed"));
    isSaid = true;
  };
  return {
    memory: {
      key,
      store: {
        read: async (id) => (await find()).read(id),
        swap: async (...change) => (await find()).swap(...change),
        delete: async (id) => (await find()).delete(id),
        list: async (prefix, limit) => (await find()).list(prefix, limit),
      },
      onError: onError ?? say,
      onEvent: ({ type, provider }) => {
        if (type === "suspended") output.say(output.text("refusalsSuspended").replace("{bank}", () => provider));
      },
    },
    close: async () => void (await (await opening)?.close()),
  };
}
