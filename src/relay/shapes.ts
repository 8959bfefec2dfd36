import type { ClientEntry } from "../api/answers.ts";
import type {
  AccountType,
  AuthField,
  Choice,
  ProviderDetail,
  ProviderEntry,
  TransferDestination,
} from "../api/schemas.ts";

// The members of the contract, section 2, and the two that choices need: what else the service sends stays here.

export const entryOf = ({ code, country, name }: ProviderEntry) => ({ code, country, name });

export const detailOf = ({ name, country, auth_fields, account_type, logo }: ProviderDetail) =>
  present({
    name,
    country,
    auth_fields: auth_fields.map(fieldOf),
    account_type: account_type.map(labelledOf),
    logo: isWebAddress(logo) ? logo : undefined,
  });

export const destinationOf = ({ id, name }: TransferDestination) => ({ id, name });

/** A map from id to name, as the service sends it. Made of entries, so that no id can be more than an id. */
export const clientsOf = (clients: readonly ClientEntry[]) =>
  Object.fromEntries(clients.map(({ id, name }) => [id, name]));

const labelledOf = ({ name, label_en, label_es }: Choice | AccountType) => present({ name, label_en, label_es });

const fieldOf = ({ name, type, interactive, optional, label_en, label_es, choices, default: chosen }: AuthField) =>
  present({
    name,
    type,
    interactive,
    optional,
    label_en,
    label_es,
    choices: choices?.map(labelledOf),
    default: chosen,
  });

/** A page may put it anywhere an address goes: a script in it would run there. */
function isWebAddress(logo: string | null | undefined): boolean {
  return typeof logo === "string" && /^https?:\/\//i.test(logo);
}

function present<Members extends object>(members: Members): Partial<Members> {
  const entries = Object.entries(members).filter(([, member]) => member !== undefined && member !== null);
  return Object.fromEntries(entries) as Partial<Members>;
}
