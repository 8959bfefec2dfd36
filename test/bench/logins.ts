import type { Kind } from "./canned.ts";
import { contenders, inProcess, type Name, several, withBank } from "./contenders.ts";
import { compare, type Effort, mapValues, type Rounds } from "./rounds.ts";

/** What one situation gave, per login. */
export interface LoginFigures extends Rounds<Name> {
  readonly kind: Kind;
  /** Logins at a time over loopback HTTP; `undefined` in process. */
  readonly atATime: number | undefined;
}

const kinds = ["plain", "interaction"] as const;

/** `login()` beside a hand-written pair of calls on the same client, and beside bare `fetch`. */
export async function measureLogins(
  inProcessEffort: Effort,
  httpEffort: Effort,
  report: (progress: string) => void,
): Promise<readonly LoginFigures[]> {
  const figures: LoginFigures[] = [];
  for (const kind of kinds) {
    report(`logins in process, ${kind}`);
    const rounds = await compare(listCompared(kind, "http://bank.example", inProcess), inProcessEffort);
    figures.push({ kind, atATime: undefined, ...rounds });
  }
  await withBank(async (baseUrl) => {
    for (const kind of kinds) {
      for (const atATime of [1, 16, 64, 256]) {
        report(`logins over HTTP, ${kind}, ${atATime} at a time`);
        const count = Math.max(32, atATime);
        const batches = mapValues(listCompared(kind, baseUrl), (contender) => several(contender, count, atATime));
        const { milliseconds, ratios } = await compare(batches, httpEffort);
        const perLogin = mapValues(milliseconds, (spread) => mapValues({ ...spread }, (time) => time / count));
        figures.push({ kind, atATime, milliseconds: perLogin, ratios });
      }
    }
  });
  return figures;
}

function listCompared(...place: Parameters<typeof contenders>) {
  const { "login()": ours, "pair of calls": pair, "bare fetch": bare } = contenders(...place);
  return { "login()": ours, "pair of calls": pair, "bare fetch": bare };
}
