import type { ClientEntry } from "../../core/api/responses.ts";
import type { ProviderDetail, ProviderEntry, TransferDestination } from "../../core/api/schemas.ts";

// The members of the contract, section 2, the two that choices need, and whether there are transfers: what else the service sends stays here.

export const toProviderEntry = (entry: ProviderEntry) => pick(entry, "code", "country", "name");

export const toProviderDetail = (provider: ProviderDetail) => ({
  ...pick(provider, "name", "country"),
  auth_fields: provider.auth_fields.map((field) => ({
    ...pick(field, "name", "type", "interactive", "optional", "label_en", "label_es", "default"),
    choices: field.choices?.map((choice) => pick(choice, "name", "label_en", "label_es")),
  })),
  account_type: provider.account_type.map((type) => pick(type, "name", "label_en", "label_es")),
  ...(provider.methods?.transfers === false && { methods: { transfers: false } }),
  ...(isWebAddress(provider.logo) && pick(provider, "logo")),
});

export const toDestination = (destination: TransferDestination) => pick(destination, "id", "name");

/** A map from id to name, as the service sends it. Made of entries, so that no id can be more than an id. */
export const toClients = (clients: readonly ClientEntry[]) =>
  Object.fromEntries(clients.map(({ id, name }) => [id, name]));

/** A page may put it anywhere an address goes: a script in it would run there. */
const isWebAddress = (logo: unknown): boolean => typeof logo === "string" && /^https?:\/\//i.test(logo);

/** The named members that are there and not null. */
function pick<Source extends object>(source: Source, ...names: (keyof Source & string)[]) {
  return Object.fromEntries(names.map((name) => [name, source[name] ?? undefined]));
}
