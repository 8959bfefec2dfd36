import * as v from "valibot";

/**
 * A record that keeps every name. A service names its fields and clients as it likes, and valibot's own record leaves out those that
 * are called `constructor`, `prototype` or `__proto__`.
 *
 * @param limit the most names, counted before anything else is looked at.
 */
export function wholeRecord<Input, Output>(
  value: v.GenericSchema<Input, Output>,
  limit = Number.POSITIVE_INFINITY,
): v.GenericSchema<Record<string, Input>, Record<string, Output>> {
  return v.pipe(
    v.custom<Record<string, Input>>((given) => typeof given === "object" && given !== null, "Object"),
    v.maxEntries(limit),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const input: Record<string, unknown> = dataset.value;
      const entries: [string, Output][] = [];
      for (const [key, given] of Object.entries(input)) {
        const result = v.safeParse(value, given, { abortEarly: true });
        if (!result.success) {
          const path = [{ type: "object", origin: "value", input, key, value: given }] as const;
          addIssue({ path: [...path], expected: result.issues[0].expected ?? "unknown" });
          return NEVER;
        }
        entries.push([key, result.output]);
      }
      return Object.fromEntries(entries);
    }),
  );
}
