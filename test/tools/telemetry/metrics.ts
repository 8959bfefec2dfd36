import { type Attributes, createNoopMeter, type Meter } from "@opentelemetry/api";

/** One measurement, as an instrument gets it. */
export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly attributes: Attributes;
}

/** A meter that shows each measurement. */
export function watchMeter(see: (measured: Measured) => void): Meter {
  const watch =
    (name: string) =>
    (value: number, attributes: Attributes = {}) =>
      see({ name, value, attributes });
  // OpenTelemetry has one no-op meter, which its readers use as well: this one only inherits from it.
  return Object.assign(Object.create(createNoopMeter()) as Meter, {
    createHistogram: (name: string) => ({ record: watch(name) }),
    createUpDownCounter: (name: string) => ({ add: watch(name) }),
  });
}

const short = (name: string) => name.replace("ventanilla.", "");

/** A measurement as one line: `login.duration at test in loggedIn: logged_in`. A time is left out, a count is not. */
export function formatMeasured({ name, value, attributes }: Measured): string {
  const { "ventanilla.provider": provider = "no bank", "ventanilla.outcome": outcome, ...rest } = attributes;
  const { "ventanilla.state": state, "ventanilla.request": request, ...others } = rest;
  const beside = Object.entries(others).map(([member, label]) => ` ${member}=${label}`);
  const end = outcome === undefined ? ` ${value > 0 ? "+" : ""}${value}` : `: ${outcome}`;
  return `${short(name)} at ${provider} in ${state ?? request}${end}${beside.join("")}`;
}

/** What a meter has measured, as lines, without the counts if `isTimed`. */
export function createMeasuring() {
  const measured: Measured[] = [];
  return {
    measured,
    meter: watchMeter((one) => measured.push(one)),
    lines: () => measured.map(formatMeasured),
    /** How many logins are active, by state; none where the count is back at nothing. */
    active: () => {
      const counts = new Map<string, number>();
      for (const { name, value, attributes } of measured) {
        if (name !== "ventanilla.logins.active") continue;
        const state = `${attributes["ventanilla.provider"]} ${attributes["ventanilla.state"]}`;
        counts.set(state, (counts.get(state) ?? 0) + value);
      }
      return Object.fromEntries([...counts].filter(([, count]) => count !== 0));
    },
  };
}
