import * as v from "valibot";
import { secret } from "../api/secret.ts";
import { wholeRecord } from "../api/whole-record.ts";
import type { Credentials } from "./requests.ts";

/** The fields of a login as a sealed token holds them, by name. */
export const sealedFields: v.GenericSchema<Record<string, string>, Credentials["fields"]> = v.pipe(
  wholeRecord(v.pipe(v.string(), v.transform(secret))),
  v.custom<Credentials["fields"]>((fields) =>
    ["username", "password"].every((name) => Object.hasOwn(fields as object, name)),
  ),
);
