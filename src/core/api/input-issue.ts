import * as v from "valibot";
import { BankError } from "./errors.ts";

type Issues = readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]];

/** The path of what a schema has refused first. The text of an issue repeats the value, so it is not used. */
export const toField = ([issue]: Issues, whole: string): string => v.getDotPath(issue) ?? whole;

/** The error of an input that a strict schema has refused, of its first issue. @param detail says what is wrong with a value. */
export function createIssueError([issue]: Issues, field: string, detail: string): BankError {
  const isMember = issue.type === "strict_object";
  if (isMember && issue.received === "undefined") return new BankError("missing_field", { field });
  const isUnknown = isMember && issue.expected === "never";
  return new BankError("invalid_input", { field, detail: isUnknown ? "is not known here" : detail });
}
