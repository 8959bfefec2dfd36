/**
 * `<bank-login>` and its tag in Solid's JSX. Peers: `solid-js`, `lit`. An entry point of its own: the types of `ventanilla/element` need no framework.
 *
 * @packageDocumentation
 */

import type { JSX } from "solid-js";
import type { BankLoginAttributes, BankLoginProperties } from "./component-properties.ts";
import type { BankLogin, BankLoginEvents } from "./index.ts";

export * from "./index.ts";
export type { BankLoginAttributes, BankLoginProperties };

/** Solid finds a property by its attribute; one that has none, or another name, is set with `prop:`. */
type TagProps = JSX.HTMLAttributes<BankLogin> &
  BankLoginAttributes &
  Omit<
    BankLoginProperties,
    "clientSelection" | "sessionReplacement" | "dependentChoices" | "answerTimeout" | "remoteLogos"
  > & { readonly [Name in keyof BankLoginProperties as `prop:${Name}`]?: BankLoginProperties[Name] } & {
    readonly [Type in keyof BankLoginEvents as `on:${Type}`]?: (event: BankLoginEvents[Type]) => void;
  };

declare module "solid-js" {
  namespace JSX {
    interface IntrinsicElements {
      "bank-login": TagProps;
    }
  }
}
