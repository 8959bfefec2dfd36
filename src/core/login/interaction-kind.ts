import type { Interaction, LoginSettings, SettableKind } from "../../../machines/login.types.ts";
import type { AuthField, ProviderDetail } from "../../../machines/provider.types.ts";
import { checkObject } from "../api/input-checks.ts";
import { isPicture, NO_PICTURE, type Picture, readPicture } from "../api/picture.ts";
import type { LanguageOptions } from "../texts/languages.ts";
import { type FormChoice, type FormField, formField, isOneTimeCode, toChoices } from "./form-fields.ts";

/** The kind of an interaction, with the data that a screen needs for it. */
export type InteractionKind =
  | {
      /** The person types what a picture shows: a captcha, a card of codes. */
      readonly kind: "picture";
      /** `undefined` if the picture can't be shown: the person can only cancel and log in again. */
      readonly picture: Picture | undefined;
    }
  | {
      /** The person chooses one of the values that the bank lists for the field. */
      readonly kind: "choices";
      readonly choices: readonly FormChoice[];
    }
  | {
      /** The person types a one-time code from an app, a device or a message. */
      readonly kind: "code";
    }
  | {
      /** The person confirms the login elsewhere, mostly in the bank's app, and continues here without typing anything. */
      readonly kind: "confirmation";
      /** What to answer once the person has confirmed. */
      readonly answer: string;
    }
  | {
      /** The person answers the bank's text in words. Also everything of no other kind. */
      readonly kind: "question";
    };

/** Whether a person answers a kind in words or by a code, so that the same answer again is one more wrong try. */
export const isTyped: Readonly<Record<InteractionKind["kind"], boolean>> = {
  picture: false,
  choices: false,
  code: true,
  confirmation: false,
  question: true,
};

/** What the bank asks for after a login (contract, section 2.3), with its kind: what a handler and an outcome have. */
export type InteractionPrompt = Interaction & InteractionKind;

/** Options of `interactionKind`. */
export interface InteractionKindOptions extends LanguageOptions {
  /** The provider that `client.getProvider` returns: its `auth_fields` list the choices. Default none. */
  readonly detail?: ProviderDetail | undefined;
  /** The bank's code, for `interactionKinds`. Default none. */
  readonly provider?: string | undefined;
  /** The kinds that are set, as in the settings of the login. Default none. */
  readonly interactionKinds?: LoginSettings["interactionKinds"] | undefined;
}

/**
 * The kind of an interaction, by what the contract gives: its text (contract, section 2.3, `context`), the name of its field,
 * and that field's entry in `auth_fields` (section 2.2). The first that fits: a text that is a picture; a confirmation that is set in
 * `interactionKinds`; a field that is named after a confirmation, with nothing to choose from and nothing to type in; a field with choices; another kind that is set; a text that asks to confirm in the bank's app,
 * whatever the field is called; a field that is named after a one-time code.
 *
 * @example
 * const kind = interactionKind(interaction, { detail });
 * if (kind.kind === "picture" && kind.picture) image.src = kind.picture.url;
 */
export function interactionKind(
  interaction: Pick<Interaction, "field" | "context"> & Partial<Pick<Interaction, "fields">>,
  options: InteractionKindOptions = {},
): InteractionKind {
  checkObject("interaction", interaction);
  const { field, fields = [field], context } = interaction;
  const { detail } = options;
  if (isPicture(context)) return { kind: "picture", picture: readPicture(context) };
  const set = findSetKind(field, options);
  const listed = findAuthField(detail, field);
  const choices = toChoices(listed, options);
  const [only, ...others] = choices;
  const isNamedSo = confirmations.test(field) && others.length === 0 && (only || !asksForText.test(context));
  if (set === "confirmation" || (!set && isNamedSo)) {
    return { kind: "confirmation", answer: only?.value ?? (listed.default || CONFIRMED) };
  }
  if (only) return { kind: "choices", choices };
  if (set) return { kind: set };
  if (fields.length === 1 && asksForApproval(context) && !asksForText.test(context)) {
    return { kind: "confirmation", answer: listed.default || CONFIRMED };
  }
  return { kind: isOneTimeCode(listed) ? "code" : "question" };
}

/** The form field for an interaction (contract, section 3). A field that the bank does not list is a text. */
export function answerField(field: string, kind: InteractionKind, options: InteractionKindOptions): FormField {
  const { detail } = options;
  const set = findSetKind(field, options);
  const shown = formField(findAuthField(detail, field), options);
  switch (kind.kind) {
    case "confirmation":
      // If only the text says so, the field is for a person who has a code.
      if (!set && !confirmations.test(field)) return { ...shown, required: false, initial: "" };
      return { ...shown, input: "hidden", choices: [], initial: kind.answer };
    case "picture":
      return asText(shown);
    case "code":
      // A person who copies it from a telephone has to see what is typed, and it can have letters if its name does not say so.
      return set && shown.autocomplete !== "one-time-code"
        ? { ...shown, input: "text", autocomplete: "one-time-code" }
        : shown;
    case "question":
      return set ? asText(shown) : shown;
    case "choices":
      return shown;
  }
}

/** A field that takes any text, and no one-time code. */
const asText = (shown: FormField): FormField => ({
  ...shown,
  autocomplete: shown.input === "password" ? "new-password" : "off",
  inputMode: "text",
});

function findSetKind(
  field: string,
  { provider = "", interactionKinds = {} }: InteractionKindOptions,
): SettableKind | undefined {
  const kinds = Object.hasOwn(interactionKinds, provider) ? interactionKinds[provider] : undefined;
  return kinds && Object.hasOwn(kinds, field) ? kinds[field] : undefined;
}

/** The interaction without its picture, if a store has no room for one. `interactionKind` then has no `picture`. */
export function withoutPicture<Value extends Pick<Interaction, "context">>(interaction: Value): Value {
  return isPicture(interaction.context) ? { ...interaction, context: NO_PICTURE } : interaction;
}

function findAuthField(detail: ProviderDetail | undefined, name: string): AuthField {
  const listed = detail?.auth_fields.find((field) => field.name === name);
  // An answer is always required, even if the bank lists the field as optional.
  return { type: "text", ...listed, name, interactive: true, optional: false };
}

// The field of the second login has to have a value (contract, section 3); the contract does not show the value of a confirmation.
const CONFIRMED = "true";

const confirmations =
  /^(?:(?:app|push|mobile|device)_)?(?:confirm(?:ation|acion|acao)?|approv(?:e|al)|aprobacion|aprovacao|authori[sz]ation|autorizacion|autorizacao)$|^push(?:_notification)?$/;

// "Confirme el ingreso en la app", "Aprove no aplicativo": such a text comes under the name of any field. Two searches, one after the other: one
// pattern for both would look at the rest of the text for each verb.
const approvals = /\b(?:confirm|aprueb|aprob|aprov|approv|autori[cz]|authori[sz]|acept|aceit|accept|valid)/iu;
const apps = /\b(?:app|aplicaci[oó]n|aplicativo|aplicaç[aã]o)\b/iu;

function asksForApproval(context: string): boolean {
  const verb = context.search(approvals);
  return verb >= 0 && apps.test(context.slice(verb));
}

// A field with such a name may still need a text. Then the bank's text contains one of these words.
const asksForText = /\b(?:c[oó]digo|code|clave|contraseña|senha|password|passcode|pin|token|otp|sms)\b|\?/i;
