import type { Bank, InteractionStep } from "./bank-model.ts";
import type { Form } from "./posted-form.ts";

// Common mistakes of clients of this contract, each as a sentence that tells their developer what to change. The sentences contain names, and no sent values.

const keyInForm =
  "The form has a field called key: the key belongs in the query, POST /login/?key=… (contract, section 4.1).";

const user = ["provider", "username", "password"];

/** What to change in the form of a first login. */
export function findFirstMistake(form: Form, bank: Bank | undefined): string | undefined {
  if (form.has("key")) return keyInForm;
  const later = bank?.authFields.find(({ name, interactive }) => interactive && form.has(name));
  if (later) {
    return `${later.name} is interactive: leave it out of the first login, and send it in a second one, with the key, if the bank asks for it (contract, section 3).`;
  }
  return bank && findOtherName(form, listFirstNames(bank));
}

/** What to change in the form of a second login. */
export function findSecondMistake(form: Form, { field, together }: InteractionStep): string | undefined {
  if (form.has("key")) return keyInForm;
  const missing = user.find((name) => !form.get(name));
  if (missing !== undefined) {
    return `The second login has no ${missing}: send provider, username and password again, with the answer (contract, section 3).`;
  }
  return findOtherName(form, [...user, field, ...Object.keys(together ?? {})]);
}

const listFirstNames = ({ authFields }: Bank): readonly string[] => [
  ...user,
  ...authFields.filter(({ interactive }) => !interactive).map(({ name }) => name),
];

function findOtherName(form: Form, known: readonly string[]): string | undefined {
  const missing = known.find((name) => !form.get(name));
  const other = [...form.keys()].find((name) => !known.includes(name));
  if (other === undefined) return undefined;
  const instead = missing === undefined ? "" : `, and no ${missing}`;
  return `The form has a field ${JSON.stringify(other.slice(0, 40))}${instead}: the names are those of auth_fields and of field (contract, sections 2.2 and 2.3).`;
}
