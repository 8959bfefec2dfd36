import type { Attributes } from "@opentelemetry/api";
import { loginId, providerCode } from "../../trace/allowlist.ts";
import type { InspectedActor } from "../../trace/traced-actors.ts";
import { readStored } from "../stored-login.ts";

/** The bank, the name and the login of a request. @param parent the login or the link that sends it. */
export function readRequestLabels(parent: InspectedActor, request: string): Attributes {
  // A link has no id. Of a durable login that is stored between its steps there is no snapshot.
  const { context = {} } = parent.getSnapshot() as { context?: { readonly id?: unknown; readonly provider?: unknown } };
  const id = readStored(parent).storedLogin?.id ?? loginId(context.id);
  const provider = providerCode(context.provider);
  return {
    "ventanilla.request": request,
    ...(provider !== undefined && { "ventanilla.provider": provider }),
    ...(id && { "ventanilla.login.id": id }),
  };
}
