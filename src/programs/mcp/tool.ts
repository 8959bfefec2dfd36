import type { CallToolResult, InputRequiredResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { createIssueError, toField } from "../../core/api/input-issue.ts";
import { mcpTexts } from "../../core/texts/languages.ts";
import { type BankError, describeFailure, type FailureCode } from "../../index.ts";
import type { Refused } from "./bank-logins.ts";

/** The names of the tools: each has a title in every language. */
export type ToolName = Extract<keyof ReturnType<typeof mcpTexts>, `${string}_bank${string}` | `list_${string}`>;

/** The person's answer about a page. `unavailable`: the host can't open it. `unanswered`: the host did not answer in time. */
export type PageAnswer = "accepted" | "declined" | "unavailable" | "unanswered";

/** What a call of a tool can request of its host. */
export interface HostCall {
  /** Aborted when the host cancels the call or disconnects, and when the call's time is over. */
  readonly signal: AbortSignal;
  /** Until when the call can wait, as `Date.now()` counts. The call ends soon after it. */
  readonly until: number;
  /** Until when the host can answer whether the person opens a page. */
  readonly answerUntil: number;
  /** Reports progress, if the host asked for it. */
  readonly report: (text: string) => void;
  /** Asks the host to let the person open a page. If it returns a result of the protocol, the tool returns that: the host then calls again, with `answered`. */
  readonly openPage: (page: HostPage) => Promise<PageAnswer | InputRequiredResult>;
  /** The answer about a page that an earlier call named. */
  readonly answered?: { readonly name: string; readonly answer: PageAnswer };
}

/** A page that a person opens outside of the model's sight. */
export interface HostPage {
  /** The host repeats it with its answer. */
  readonly name: string;
  readonly address: string;
  /** What the person reads before opening it. */
  readonly message: string;
  /** Resolves when the page needs nothing more. */
  readonly waitForEnd: (signal: AbortSignal) => Promise<unknown>;
}

export interface Tool<Input extends v.GenericSchema = v.GenericSchema> {
  readonly name: ToolName;
  /** For the model, in English. */
  readonly description: string;
  readonly annotations: NonNullable<ListedTool["annotations"]>;
  readonly input: Input;
  readonly output: v.GenericSchema;
  /** @returns the result, why there is none, or what the host is asked first. */
  run(input: v.InferOutput<Input>, call: HostCall): Promise<Record<string, unknown> | Refused | InputRequiredResult>;
}

/** Infers the type of the input for `run`. */
export const defineTool = <const Input extends v.GenericSchema>(tool: Tool<Input>): Tool => tool;

/** A tool as the protocol lists it. */
export function toListedTool({ name, description, annotations, input, output }: Tool, locale: string): ListedTool {
  return {
    name,
    title: mcpTexts(locale)[name],
    description,
    annotations,
    inputSchema: toSchema(input),
    outputSchema: toSchema(output),
  };
}

function toSchema(schema: v.GenericSchema) {
  const { $schema: _, ...rest } = toJsonSchema(schema, { target: "draft-2020-12", ignoreActions: ["check"] });
  return rest as ListedTool["inputSchema"];
}

/** Checks the arguments of a call. @returns them, or what is wrong; values are not repeated. */
export function parseInput(schema: v.GenericSchema, input: unknown): { readonly input: unknown } | BankError {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return { input: result.output };
  return createIssueError(result.issues, toField(result.issues, "arguments"), "is not of this form");
}

/** A result, as data and as the same text for hosts that don't read data. */
export const toResult = (output: Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(output) }],
  structuredContent: output,
});

/** A failure: its code, its text for the person, and what helps. */
export function toFailedResult(
  fault: { readonly code: FailureCode; readonly request?: string; readonly field?: string; readonly detail?: string },
  locale: string,
): CallToolResult {
  const { code, field, detail } = fault;
  const failure = { error: code, ...describeFailure(fault, locale), field, detail };
  return { content: [{ type: "text", text: JSON.stringify(failure) }], isError: true };
}
