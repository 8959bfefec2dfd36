import type { Path, Received } from "./path-types.ts";

/** What the bank got in place of what a path gave. */
export interface Difference {
  /** `undefined`: no value came. */
  readonly got: string | undefined;
  readonly gave: string;
}

/**
 * What the bank got otherwise than the path gave it, in the requests of one step: the answer, the bank or client that was chosen, or a
 * value of the form.
 */
export function findDifference(
  steps: Path["steps"],
  step: number,
  received: readonly Received[],
): Difference | undefined {
  const action = steps[step]?.action;
  const chosen = received.find(({ request }) => /^GET \/(provider\/\{code\}|client\/\{id\})\/$/.test(request));
  const login = received.find(({ request }) => request === "POST /login/");
  if (action?.type === "choose") return compare(chosen?.values, action.value);
  if (action?.type === "answer") {
    const { provider: _, username: __, password: ___, ...others } = login?.values ?? {};
    const { answer } = action;
    return typeof answer === "string" ? compare(login && others, answer) : login && compareNamed(others, answer);
  }
  if (action?.type !== "submit" || !login) return undefined;
  const filled = steps.slice(0, step).findLast(({ action }) => action.type === "fill")?.action;
  return compareNamed(login.values, filled?.type === "fill" ? filled.values : {});
}

function compareNamed(received: Received["values"], given: Received["values"]): Difference | undefined {
  const [name, value] = Object.entries(given).find(([name, value]) => received[name] !== value) ?? [];
  return name === undefined ? undefined : { got: `${name} ${received[name] ?? "not"}`, gave: `${name} ${value}` };
}

/** The second login carries the fields of the first one as well, so the value may be any of them. */
function compare(received: Received["values"] | undefined, gave: string): Difference | undefined {
  if (!received) return { got: undefined, gave };
  const values = Object.values(received);
  return values.includes(gave) ? undefined : { got: values.join(", "), gave };
}
