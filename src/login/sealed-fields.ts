import * as v from "valibot";
import { secret } from "../api/secret.ts";
import type { Credentials } from "./requests.ts";

/**
 * The fields of a login as a sealed token holds them, by name. A bank names its fields as it likes, and valibot's records leave out
 * those that are called `constructor`, `prototype` or `__proto__`.
 */
export const sealedFields: v.GenericSchema<unknown, Credentials["fields"]> = v.pipe(
  v.custom<{ readonly username: string; readonly password: string }>(
    (fields) =>
      typeof fields === "object" &&
      fields !== null &&
      ["username", "password"].every((name) => Object.hasOwn(fields, name)) &&
      Object.values(fields).every((text) => typeof text === "string"),
  ),
  v.transform((fields) => {
    const concealed = Object.entries(fields).map(([name, text]) => [name, secret(text)]);
    return Object.fromEntries(concealed) as Credentials["fields"];
  }),
);
