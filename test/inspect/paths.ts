import type { InspectionEvent } from "xstate";
import type { Bank } from "../bank/bank.ts";
import { type Canary, canaryOf } from "../leaks/canaries.ts";
import { runLink } from "../model/link-run.ts";
import { linkPaths } from "../model/link-walk.ts";
import { clients, form, keys, question } from "../model/login-cases.ts";
import { runLogin } from "../model/login-run.ts";
import { loginPaths } from "../model/login-walk.ts";

type Inspect = (event: InspectionEvent) => void;

/** Every generated path of both statecharts, to be run with a bank. */
export const everyPath: readonly {
  readonly name: string;
  run(bank: Bank, inspect: Inspect): Promise<void>;
}[] = [
  ...loginPaths.map(({ variant, settings, path }) => ({
    name: `a login ${variant}: ${path.join(", then ")}`,
    run: (bank: Bank, inspect: Inspect) => runLogin(bank, settings, path, inspect),
  })),
  ...linkPaths.map(({ variant, settings, path }) => ({
    name: `a link ${variant}: ${path.join(", then ")}`,
    run: (bank: Bank, inspect: Inspect) => runLink(bank, settings, path, inspect),
  })),
];

const { provider: _, ...secrets } = form;
const [, second] = clients;

/** What must not be seen of them, and what is nobody's secret but is left out as well. */
export const pathCanaries: readonly Canary[] = [
  ...Object.entries({ ...secrets, answer: question.answer }).map(([name, value]) => canaryOf(name, value)),
  ...Object.entries(keys).map(([name, value]) => canaryOf(`${name} key`, value)),
  { name: "question", token: question.context, value: question.context },
  { name: "client's name", token: second?.name ?? "", value: "" },
];
