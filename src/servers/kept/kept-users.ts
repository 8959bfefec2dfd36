import type { KeyRing } from "../../core/tokens/sealed-token.ts";
import { createRecords, type Store } from "../../core/tokens/store.ts";
import type { Environment } from "../environment.ts";
import { SUBMIT_TIME } from "./kept-row.ts";

/** Names of one user that are read at once. */
const AT_ONCE = 100;
const ERASED_LIMIT = 10_000;

/** The result of an erasure: the number of logins with something to erase, and the number of those of which the bank may have received something, including earlier calls. */
export interface Erased {
  readonly logins: number;
  readonly mayHaveArrived: number;
}

/** Finds the logins of a user. The names of users are signed, so the store does not reveal them. */
export function createKeptUsers({
  store,
  keys,
  environment,
}: {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly environment: Environment;
}) {
  const records = createRecords(store);
  /** For each seal key: the first one is written. */
  const signUser = async (user: string) =>
    (await keys.signAll(`ventanilla-user-1 ${user}`)).map((name) => name.slice(0, 32));

  /** The names under which the logins of a user are listed, and their ids. */
  async function list(user: string): Promise<readonly { readonly name: string; readonly id: string }[]> {
    const names = await Promise.all((await signUser(user)).map((name) => records.list(`user:${name}:`, AT_ONCE)));
    return names.flat().map((name) => ({ name, id: name.slice(name.lastIndexOf(":") + 1) }));
  }

  /** Records that the bank may have received something of an erased login, for a repeat of the erasure. */
  async function insertErased(user: string, id: string): Promise<void> {
    const [name] = await signUser(user);
    await records.write(`erased:${name}:${id}`, "", new Date(environment.now() + SUBMIT_TIME), true);
  }

  async function countErased(user: string): Promise<number> {
    const found = (await signUser(user)).map((name) => records.list(`erased:${name}:`, ERASED_LIMIT));
    return (await Promise.all(found)).flat().length;
  }

  return {
    signUser,
    list,

    /** Lists a login. @param order sorts it among the logins of its user. @param isListed whether it is listed already. */
    async add(
      user: string,
      id: string,
      {
        order = "",
        forgetAt,
        isListed,
      }: { readonly order?: string; readonly forgetAt: number; readonly isListed?: boolean },
    ): Promise<void> {
      const [signed] = await signUser(user);
      const name = `user:${signed}:${order}${id}`;
      const lifetime = Math.max(1, forgetAt - environment.now());
      const isThere = isListed && (await records.swap(name, "", "", lifetime, true)) !== undefined;
      if (!isThere) await records.write(name, "", new Date(forgetAt), true);
    },

    /**
     * Erases the logins of a user.
     *
     * @param erase erases one login, and returns the content of its tombstone.
     */
    async eraseAll(
      user: string,
      erase: (id: string) => Promise<{ readonly mayHaveArrived: boolean; readonly wasErased: boolean }>,
    ): Promise<Erased> {
      let logins = 0;
      for (let found = await list(user); found.length > 0; found = await list(user)) {
        for (const { name, id } of found) {
          const erased = await erase(id);
          if (erased.mayHaveArrived) await insertErased(user, id);
          if (!erased.wasErased) logins += 1;
          // Last, so that a repeated call finds it if this one was interrupted.
          await records.delete(name);
        }
      }
      return { logins, mayHaveArrived: await countErased(user) };
    },
  };
}
