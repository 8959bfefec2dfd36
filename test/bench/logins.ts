import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Kind } from "./canned.ts";
import { contenders, inProcess, type Name, names, several } from "./contenders.ts";
import { compare, type Effort, type Rounds } from "./rounds.ts";

/** What one situation gave, per login. */
export interface LoginFigures extends Rounds<Name> {
  readonly kind: Kind;
  /** Logins at a time over loopback HTTP; `undefined` in process. */
  readonly atATime: number | undefined;
}

/** `login()` beside a hand-written pair of calls on the same client, and beside bare `fetch`. */
export async function measureLogins(
  inProcessEffort: Effort,
  httpEffort: Effort,
  tell: (what: string) => void,
): Promise<readonly LoginFigures[]> {
  const figures: LoginFigures[] = [];
  for (const kind of ["plain", "interaction"] as const) {
    tell(`logins in process, ${kind}`);
    const each = contenders(kind, "http://bank.example", inProcess);
    const rounds = await compare(
      byName((name) => each[name]),
      inProcessEffort,
    );
    figures.push({ kind, atATime: undefined, ...rounds });
  }
  const bank = fork(fileURLToPath(new URL("bank.js", import.meta.url)));
  try {
    const [address] = (await once(bank, "message")) as [{ readonly port: number }];
    for (const kind of ["plain", "interaction"] as const) {
      for (const atATime of [1, 16, 64, 256]) {
        tell(`logins over HTTP, ${kind}, ${atATime} at a time`);
        const each = contenders(kind, `http://127.0.0.1:${address.port}`);
        const count = Math.max(32, atATime);
        const batches = byName((name) => several(each[name], count, atATime));
        const { milliseconds, ratios } = await compare(batches, httpEffort);
        const perLogin = byName((name) => {
          const { median, lower, upper } = milliseconds[name];
          return { median: median / count, lower: lower / count, upper: upper / count };
        });
        figures.push({ kind, atATime, milliseconds: perLogin, ratios });
      }
    }
  } finally {
    bank.kill();
  }
  return figures;
}

function byName<Value>(value: (name: Name) => Value): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;
}
