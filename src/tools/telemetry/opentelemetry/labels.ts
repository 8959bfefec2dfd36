import type { Attributes } from "@opentelemetry/api";
import { loginId, providerCode } from "../../trace/allowlist.ts";
import type { InspectedActor } from "../../trace/traced-actors.ts";
import { readStored } from "../stored-login.ts";

/** The bank, the name and the login of a request. @param parent the login or the link that sends it. */
export function readRequestLabels(parent: InspectedActor, request: string): Attributes {
  // A link has no id. A durable login has no snapshot between its steps.
  const { context = {} } = parent.getSnapshot() as { context?: { readonly id?: unknown; readonly provider?: unknown } };
  const id = readStored(parent).storedLogin?.id ?? loginId(context.id);
  const provider = providerCode(context.provider);
  return {
    "ventanilla.request": request,
    ...(provider !== undefined && { "ventanilla.provider": provider }),
    ...(id && { "ventanilla.login.id": id }),
  };
}
