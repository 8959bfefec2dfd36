import * as v from "valibot";
import { CONTEXT_LIMIT, cut, PICTURE_TEXT_LIMIT } from "./limits.ts";
import { isPicture, NO_PICTURE } from "./picture.ts";
import { interactionBody } from "./schemas.ts";
import { maskSecrets } from "./secret.ts";
import type { WireResponse } from "./wire-response.ts";

/** What the bank asks for in an interaction (contract, section 2.3). */
export interface PendingInteraction {
  readonly status: "interaction_required";
  /** The name of the field to send. Absent if the service names none: it is then the bank's only interactive field. */
  readonly field?: string;
  /** The names of all fields to send, if the service names several: `field` is the first one then. */
  readonly fields?: readonly string[];
  /** The bank's text for the person; empty if it sends none. It can be a picture, which `interactionKind` reads. */
  readonly context: string;
}

/** What is left to do before a session can be used (contract, section 3): an interaction, or the choice of a client. */
export type PendingStep = PendingInteraction | { readonly status: "select_client" };

/** Reads what an interaction asks for. */
export function readInteraction(response: WireResponse): PendingInteraction {
  // Each member has a fallback.
  const { context, field: fields } = v.parse(interactionBody, response.body);
  const [field, ...others] = fields;
  return {
    status: "interaction_required",
    ...(field !== undefined && { field }),
    ...(others.length > 0 && { fields }),
    context: toContext(context ?? "", response),
  };
}

/** Reads what a session still asks for; `undefined` for every other response. */
export function readAsked(response: WireResponse): PendingStep | undefined {
  if (response.status === "interaction_required") return readInteraction(response);
  return response.status === "select_client" ? { status: response.status } : undefined;
}

/** The text of an interaction. A cut picture is no picture: it is kept whole or left out. */
function toContext(context: string, { secrets }: WireResponse): string {
  if (isPicture(context)) return context.length > PICTURE_TEXT_LIMIT ? NO_PICTURE : context;
  return cut(maskSecrets(context, secrets), CONTEXT_LIMIT);
}
