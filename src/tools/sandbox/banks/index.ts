import type { Bank } from "../bank-model.ts";
import { fieldBanks } from "./field-banks.ts";
import { interactionBanks } from "./interaction-banks.ts";
import { irregularBanks } from "./irregular-banks.ts";
import { outcomeBanks } from "./outcome-banks.ts";
import { reservedBanks } from "./reserved-banks.ts";

/** Every bank of the sandbox, by its code. */
export const banks: ReadonlyMap<string, Bank> = new Map(
  [...reservedBanks, ...interactionBanks, ...fieldBanks, ...irregularBanks, ...outcomeBanks].map((bank) => [
    bank.code,
    bank,
  ]),
);
