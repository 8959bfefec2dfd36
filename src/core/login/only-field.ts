import type { BankClient } from "../api/client.ts";
import type { CallOptions } from "../api/client-options.ts";
import { BankError } from "../api/errors.ts";
import { isAnswerName } from "../api/input-checks.ts";
import type { InteractionRequired } from "../api/responses.ts";
import type { Secret } from "../api/secret.ts";

/**
 * The bank has sent its code by the time that it asks for it: where the service does not name the field, it is the only interactive one
 * in the detail of the bank (contract, section 2.2).
 *
 * @throws {BankError} `response_against_contract` with the session's `key`, if there is not exactly one.
 */
export async function findOnlyField(
  client: BankClient,
  response: InteractionRequired,
  { provider, key }: { readonly provider: string; readonly key?: Secret | undefined },
  call: CallOptions,
): Promise<string> {
  const read = await client.getProvider(provider, call).catch(() => undefined);
  const fields = read?.status === "success" ? read.provider.auth_fields : [];
  const [asked, ...others] = fields.filter(({ name, interactive }) => interactive && isAnswerName(name));
  if (asked && others.length === 0) return asked.name;
  throw new BankError("response_against_contract", {
    request: "POST /login/",
    baseUrl: client.baseUrl,
    field: "field",
    key: response.key ?? key,
  });
}
