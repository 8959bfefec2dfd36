import { createCredentials, reveal, secret } from "ventanilla";
import { createSandbox } from "ventanilla/sandbox";
import type { Service } from "../faults/faulty-bank.ts";
import type { Onlooker } from "../faults/places.ts";
import { type Canary, newCanaries } from "./canaries.ts";

const names = ["apiKey", "username", "password", "companyCode", "answer", "firstKey", "secondKey", "thirdKey"] as const;

export type Disguises = Readonly<Record<(typeof names)[number], Canary>>;

export const newDisguises = (): Disguises => newCanaries(names);

/** The sandbox with its accounts, where people write canaries for their values and get canaries for their keys. */
export interface Disguised {
  readonly change: Onlooker["change"];
  readonly sandbox: Service;
}

export function disguised({ apiKey, username, password, companyCode, answer, ...keys }: Disguises): Disguised {
  const sandbox = createSandbox({ apiKey: apiKey.value });
  const fields: Readonly<Record<string, Canary>> = { username, password, company_code: companyCode };
  const known = new Map<string, string>();
  const keysLeft = Object.values(keys);

  /** What the sandbox knows from now on under a canary's name. */
  const disguise = (value: string, canary: Canary | undefined): string => {
    if (!canary) throw new Error(`No canary is left for ${value}.`);
    known.set(canary.value, value);
    return canary.value;
  };
  const openly = (sent: URLSearchParams) =>
    new URLSearchParams([...sent].map(([name, value]) => [name, known.get(value) ?? value]));

  return {
    change: (event) => {
      if (event.type === "interaction.answer") {
        const disguised = Object.entries(event.answer).map(([name, value]) => [
          name,
          secret(disguise(reveal(value), answer)),
        ]);
        return { ...event, answer: Object.fromEntries(disguised) };
      }
      if (event.type !== "credentials.submit") return event;
      const { provider, fields: values } = event.credentials;
      const {
        username: user = "",
        password: word = "",
        ...others
      } = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, disguise(reveal(value), fields[name])]),
      );
      const credentials = createCredentials({ provider, username: user, password: word, fields: others });
      return { ...event, credentials };
    },
    sandbox: async (request) => {
      const url = new URL(request.url);
      url.search = openly(url.searchParams).toString();
      const { method, headers } = request;
      const body = method === "POST" ? { body: openly(new URLSearchParams(await request.text())) } : {};
      const response = await sandbox(new Request(url, { method, headers, ...body }));
      const said: unknown = await response.json();
      const key = typeof said === "object" && said !== null && "key" in said ? String(said.key) : undefined;
      if (key === undefined) return Response.json(said, { status: response.status });
      const given = [...known].find(([, value]) => value === key)?.[0] ?? disguise(key, keysLeft.shift());
      return Response.json({ ...Object(said), key: given }, { status: response.status });
    },
  };
}
