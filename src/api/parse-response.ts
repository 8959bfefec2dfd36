import * as v from "valibot";
import type { Echoes } from "./echo.ts";
import { ContractError } from "./errors.ts";
import type { WireResponse } from "./exchange.ts";
import { yieldToEventLoop } from "./json.ts";
import { CONTEXT_LIMIT, PICTURE_LIMIT } from "./limits.ts";
import { isPicture, NO_PICTURE } from "./picture.ts";
import { readKey, toRefusal } from "./refusals.ts";
import type { LoginResponse } from "./responses.ts";
import { interactionBody, keyBody } from "./schemas.ts";
import type { Secret } from "./secret.ts";

/** Reads the response to a login. */
export function toLoginResponse(response: WireResponse): LoginResponse {
  switch (response.status) {
    case "logged_in":
    case "select_client": {
      return { status: response.status, ...parseKey(response) };
    }
    case "interaction_required": {
      const { context, field } = parseBody(interactionBody, response);
      // The answer is sent beside these three, and would replace one of them.
      const isTaken = ["provider", "username", "password"].includes(field);
      if (isTaken || response.echoes.isEcho(field)) throw againstContract(response, "field");
      return {
        status: "interaction_required",
        field,
        context: toContext(context ?? "", response.echoes),
        ...readKey(response),
      };
    }
    default:
      return toRefusal(response);
  }
}

/** The text of an interaction. A cut picture is no picture: it is kept whole or left out. */
function toContext(context: string, echoes: Echoes): string {
  if (!isPicture(context)) return echoes.clear(context, CONTEXT_LIMIT);
  return context.length > 2 * PICTURE_LIMIT || echoes.isEchoed(context) ? NO_PICTURE : context;
}

/** The key of a response that may bring one. */
export function parseKey(response: WireResponse): { readonly key?: Secret } {
  parseBody(keyBody, response);
  return readKey(response);
}

/** Parses a body. An error has only the path of the wrong member: the text of valibot's issue contains the value. */
export function parseBody<Schema extends v.GenericSchema>(
  schema: Schema,
  response: WireResponse,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, response.body, { abortEarly: true });
  if (result.success) return result.output;
  throw againstContract(response, v.getDotPath(result.issues[0]) ?? "");
}

function againstContract({ request, baseUrl, httpStatus, echoes }: WireResponse, field: string): ContractError {
  const details = { request, baseUrl, httpStatus, field: echoes.clear(field) };
  return new ContractError("response_against_contract", details);
}

// The steps of clearing a list in one turn of the event loop: about a thousand banks.
const STEPS = 400_000;

/** Parses the elements of a list. Echoes in them are masked: unknown members may contain anything. */
export async function parseEntries<Schema extends v.GenericSchema>(
  member: string,
  list: readonly unknown[],
  schema: Schema,
  response: WireResponse,
): Promise<v.InferOutput<Schema>[]> {
  const { echoes } = response;
  const entries: v.InferOutput<Schema>[] = [];
  let stepsBefore = 0;
  for (const [index, element] of list.entries()) {
    if (echoes.steps - stepsBefore > STEPS) {
      stepsBefore = echoes.steps;
      await yieldToEventLoop();
      echoes.beginTurn();
    }
    const result = v.safeParse(schema, echoes.clearEntry(element));
    if (!result.success) {
      const path = [member, index, v.getDotPath(result.issues[0])].filter((part) => part !== null);
      throw againstContract(response, path.join("."));
    }
    entries.push(result.output);
  }
  return entries;
}
