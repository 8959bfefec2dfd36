import type { ProviderDetail, ProviderEntry, TransferDestination } from "../../../machines/provider.types.ts";
import type { ClientEntry } from "../../core/api/responses.ts";

// The members of the contract, section 2, two for choices, and whether there are transfers: everything else that the service sends is left out.

export const toProviderEntry = (entry: ProviderEntry) => pick(entry, "code", "country", "name");

/** @param logo its address at the relay, if the relay serves it. */
export const toProviderDetail = (provider: ProviderDetail, logo?: string) => ({
  ...pick(provider, "name", "country"),
  auth_fields: provider.auth_fields.map((field) => ({
    ...pick(field, "name", "type", "interactive", "optional", "label_en", "label_es", "default"),
    choices: field.choices?.map((choice) => pick(choice, "name", "label_en", "label_es")),
  })),
  account_type: provider.account_type.map((type) => pick(type, "name", "label_en", "label_es")),
  ...(provider.methods?.transfers === false && { methods: { transfers: false } }),
  ...(logo ? { logo } : isWebAddress(provider.logo) && pick(provider, "logo")),
});

export const toDestination = (destination: TransferDestination) => pick(destination, "id", "name");

/** A map from id to name, as the service sends it. Created from entries, so that an id can't be a special name. */
export const toClients = (clients: readonly ClientEntry[]) =>
  Object.fromEntries(clients.map(({ id, name }) => [id, name]));

/** A page may use it as an address: a script in it would run there. */
const isWebAddress = (logo: unknown): boolean => typeof logo === "string" && /^https?:\/\//i.test(logo);

/** The named members that are present and not null. */
function pick<Source extends object>(source: Source, ...names: (keyof Source & string)[]) {
  return Object.fromEntries(names.map((name) => [name, source[name] ?? undefined]));
}
