import * as v from "valibot";
import { BankError } from "./errors.ts";
import { isKeyName } from "./input-checks.ts";
import { CONTEXT_LIMIT, cut, LABEL_LIMIT, PICTURE_LIMIT } from "./limits.ts";
import { isPicture, NO_PICTURE } from "./picture.ts";
import { type Refusal, readKey, toRefusal } from "./refusals.ts";
import type { LoginResponse } from "./responses.ts";
import { interactionBody, keyBody } from "./schemas.ts";
import { maskSecrets, type Secret } from "./secret.ts";
import type { WireResponse } from "./wire-response.ts";

type Accepted = Exclude<LoginResponse, Refusal>;

/** How each response is read that is no refusal. */
const readers: Readonly<Record<Accepted["status"], (response: WireResponse) => Accepted>> = {
  logged_in: (response) => ({ status: "logged_in", ...parseKey(response) }),
  select_client: (response) => ({ status: "select_client", ...parseKey(response) }),
  interaction_required(response) {
    const { context, field } = parseBody(interactionBody, response);
    // The answer is sent beside these three, and would replace one of them; the key travels in the query.
    if (["provider", "username", "password"].includes(field) || isKeyName(field)) {
      throw againstContract(response, "field");
    }
    return {
      status: "interaction_required",
      field,
      context: toContext(context ?? "", response),
      ...parseKey(response),
    };
  },
};

/** Reads the response to a login. */
export function toLoginResponse(response: WireResponse): LoginResponse {
  const { status } = response;
  return Object.hasOwn(readers, status) ? readers[status as Accepted["status"]](response) : toRefusal(response);
}

/** The text of an interaction. A cut picture is no picture: it is kept whole or left out. */
function toContext(context: string, { secrets }: WireResponse): string {
  if (isPicture(context)) return context.length > 2 * PICTURE_LIMIT ? NO_PICTURE : context;
  return cut(maskSecrets(context, secrets), CONTEXT_LIMIT);
}

/** The key of a response that may bring one. */
export function parseKey(response: WireResponse): { readonly key?: Secret } {
  const { key } = parseBody(keyBody, response);
  if (key && key.length > response.keyLimit) throw againstContract(response, "key");
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

function againstContract({ request, baseUrl, httpStatus }: WireResponse, field: string): BankError {
  const details = { request, baseUrl, httpStatus, field };
  return new BankError("response_against_contract", details);
}

/** Parses the elements of a list. Long names are cut: a list on a screen has no room for more. */
export function parseEntries<Schema extends v.GenericSchema<unknown, { name: string }>>(
  member: string,
  list: readonly unknown[],
  schema: Schema,
  response: WireResponse,
): v.InferOutput<Schema>[] {
  return list.map((element, index) => {
    const result = v.safeParse(schema, element, { abortEarly: true });
    if (result.success) return { ...result.output, name: cut(result.output.name, LABEL_LIMIT) };
    const path = [member, index, v.getDotPath(result.issues[0])].filter((part) => part !== null);
    throw againstContract(response, path.join("."));
  });
}
