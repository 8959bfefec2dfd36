import * as v from "valibot";

/** A record with any names. A service can use any name for a field, but valibot's own record drops `constructor`, `prototype` and `__proto__`. */
export function anyNameRecord<Input, Output>(
  value: v.GenericSchema<Input, Output>,
): v.GenericSchema<Record<string, Input>, Record<string, Output>> {
  return v.pipe(
    v.custom<Record<string, Input>>((record) => typeof record === "object" && record !== null, "Object"),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const input: Record<string, unknown> = dataset.value;
      const entries: [string, Output][] = [];
      for (const [key, member] of Object.entries(input)) {
        const result = v.safeParse(value, member);
        if (!result.success) {
          const path = [{ type: "object", origin: "value", input, key, value: member }] as const;
          addIssue({ path: [...path] });
          return NEVER;
        }
        entries.push([key, result.output]);
      }
      return Object.fromEntries(entries);
    }),
  );
}
