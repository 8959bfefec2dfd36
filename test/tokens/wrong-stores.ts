import type { ClaimStore } from "ventanilla";

const returning = (value: unknown): ClaimStore => ({ claim: () => value as boolean });

const broken = () => {
  throw new TypeError("a canary");
};

/** What stores get wrong; none of it may count as a first use, nor as a use that was there before. */
export const wrongStores: readonly (readonly [name: string, store: ClaimStore, detail: string])[] = [
  ...[null, undefined, 0, 1, 0n, 1n, "", "OK", { rowCount: 0 }, { rowCount: 1 }, [], new Set(["id"])].flatMap(
    (value) => {
      const name =
        typeof value === "bigint"
          ? `${value}n`
          : value instanceof Set
            ? "a Set"
            : (JSON.stringify(value) ?? "undefined");
      return [
        [`returns ${name}`, returning(value), "returned neither true nor false"],
        [`responds with ${name}`, returning(Promise.resolve(value)), "returned neither true nor false"],
      ] as const;
    },
  ),
  ["throws", { claim: broken }, "threw TypeError"],
  ["rejects", { claim: async () => broken() }, "threw TypeError"],
];
