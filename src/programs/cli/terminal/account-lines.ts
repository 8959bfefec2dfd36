import type { SandboxAccount } from "../../../tools/sandbox/index.ts";
import type { Output } from "./output.ts";

/** An account of the sandbox for people: its credentials, its behaviour, and its answers. */
export function formatAccount(account: SandboxAccount, output: Output): string[] {
  const { username, password, fields = {}, answers = [], clients = {}, shows } = account;
  const pairs: readonly (readonly [string, string])[] = [
    [output.text("user"), username],
    [output.text("password"), password],
    ...Object.entries(fields),
  ];
  const more = [
    ...answers
      .flatMap(({ field, answer, together = {} }) => [[field, answer], ...Object.entries(together)])
      .map((pair) => `${output.text("answer")} ${pair.join(": ")}`),
    ...(Object.keys(clients).length > 0 ? [`${output.text("clients")}: ${Object.keys(clients).join(", ")}`] : []),
  ];
  // The behaviour is described in English only.
  const described = output.locale === "en" ? [shows, ...more] : more;
  return [`  ${pairs.map((pair) => pair.join(" ")).join(", ")}`, ...described.map((line) => `      ${line}`)];
}
