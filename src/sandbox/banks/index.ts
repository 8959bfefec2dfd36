import type { Bank } from "../bank.ts";
import { banksWithFields } from "./fields.ts";
import { banksWithInteractions } from "./interactions.ts";
import { banksWithOutcomes } from "./outcomes.ts";
import { reservedBanks } from "./reserved.ts";

/** Every bank of the sandbox, by its code. */
export const banks: ReadonlyMap<string, Bank> = new Map(
  [...reservedBanks, ...banksWithInteractions, ...banksWithFields, ...banksWithOutcomes].map((bank) => [
    bank.code,
    bank,
  ]),
);
