import type { Path, Received } from "./path-types.ts";

/** A value that the bank received instead of the path's value. */
export interface Difference {
  /** `undefined`: no value was received. */
  readonly got: string | undefined;
  readonly gave: string;
  readonly kind: "choice" | "answer" | "value";
}

/**
 * The first value in the requests of one step that differs from the path: the answer, the chosen bank or client, or a
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
  if (action?.type === "choose") return compare("choice", chosen?.values, action.value);
  if (action?.type === "answer") {
    const { provider: _, username: __, password: ___, ...others } = login?.values ?? {};
    const { answer } = action;
    return typeof answer === "string"
      ? compare("answer", login && others, answer)
      : login && compareNamed(others, answer);
  }
  if (action?.type !== "submit" || !login) return undefined;
  const typed = steps.slice(0, step).findLast(({ action }) => action.type === "fill");
  const given = typed?.action.type === "fill" ? typed.action.values : {};
  const left = typed?.fields?.filter((name) => !typed.filledFields?.includes(name)) ?? [];
  return compareNamed(login.values, { ...Object.fromEntries(left.map((name) => [name, ""])), ...given });
}

function compareNamed(received: Received["values"], given: Received["values"]): Difference | undefined {
  const [name, value] = Object.entries(given).find(([name, value]) => (received[name] ?? "") !== value) ?? [];
  if (name === undefined) return undefined;
  return { got: formatValue(name, received[name]), gave: formatValue(name, value), kind: "value" };
}

const formatValue = (name: string, value = ""): string =>
  value === "" ? `no ${name}` : `${name} ${value.trim() === value ? value : `"${value}"`}`;

/** The second login contains the fields of the first one as well, so the value may be any of them. */
function compare(
  kind: Difference["kind"],
  received: Received["values"] | undefined,
  gave: string,
): Difference | undefined {
  if (!received) return { got: undefined, gave, kind };
  const values = Object.values(received);
  return values.includes(gave) ? undefined : { got: values.join(", "), gave, kind };
}
