import { stripVTControlCharacters } from "node:util";

/** A text of the service's as it may go to a terminal: without what would move the cursor or colour the rest. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/(?!\n)\p{Cc}/gu, "");
}
