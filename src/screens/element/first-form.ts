// The form of a bank as HTML, for a page that shows it before the component has loaded. Its templates are those of the component.
import type { LitElement } from "lit";
import { noChange, nothing, type TemplateResult } from "lit";
import { type Directive, PartType } from "lit/directive.js";
import { getDirectiveClass, isDirectiveResult, isTemplateResult } from "lit/directive-helpers.js";
import { componentTexts } from "../../core/texts/languages.ts";
import type { FirstForm } from "../../core/view/first-form.ts";
import { chosenProvider, type LinkView } from "../../core/view/link-view.ts";
import { loginForm } from "../../core/view/login-view.ts";
import type { Countdown } from "./countdown.ts";
import { FormController } from "./form-controller.ts";
import { ListSearch } from "./list-search.ts";
import { screenTemplate } from "./screen-template.ts";

/** The form as the component draws it in the state `idle`, without what needs its script: the buttons are disabled. */
export function formatFirstForm({
  detail,
  provider,
  locale,
  savedLogins,
  hostName,
  hostLogo,
  origin,
}: FirstForm): string {
  const language = { locale };
  const host = { addController() {} } as Partial<LitElement> as LitElement;
  const view: LinkView = {
    state: "idle",
    busy: false,
    form: loginForm(detail, { ...language, savedLogins }),
    bank: chosenProvider({ provider, detail, providers: [] }, language),
    submit: () => undefined,
    narrowing: false,
    narrow: undefined,
    narrowingFailure: undefined,
    changeProvider: undefined,
    cancelLink() {},
  };
  return formatTemplate(
    screenTemplate({
      view,
      texts: componentTexts(language),
      language,
      form: new FormController(host),
      countdown: { seconds: undefined, isAnnounced: false } as Countdown,
      logos: { own: undefined, origin },
      banks: new ListSearch(host, ".banks"),
      clients: new ListSearch(host, ".clients"),
      host: { name: hostName, logo: hostLogo, continueUrl: undefined, passwordHelp: undefined },
      aliases: undefined,
      missed() {},
      restart() {},
      pressed() {},
    }),
  );
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (value: unknown): string =>
  String(value ?? "").replaceAll(/[&<>"]/g, (character) => escapes[character] ?? "");

/** A template as text. Attributes `data-…`, properties and listeners are for the script, and are left out. */
function formatTemplate({ strings, values }: TemplateResult): string {
  let text = "";
  for (const [at, part] of strings.entries()) {
    // What a button does is in the script.
    text += part.replaceAll("<button", "<button disabled");
    if (at === values.length) return text;
    const value = values[at];
    const isInTag = text.lastIndexOf("<") > text.lastIndexOf(">");
    const attribute = isInTag ? /\s([.?@]?)([\w-]+)=$/.exec(text) : undefined;
    if (attribute) {
      const [all, kind, name = ""] = attribute;
      text = text.slice(0, -all.length);
      if (kind === "?" && value) text += ` ${name}`;
      if (kind === "" && value !== nothing && !name.startsWith("data-")) text += ` ${name}="${escapeHtml(value)}"`;
    } else text += isInTag ? escapeHtml(value) : formatChild(value);
  }
  return text;
}

function formatChild(value: unknown): string {
  if (value === nothing || value === noChange) return "";
  if (isTemplateResult(value)) return formatTemplate(value as TemplateResult);
  if (Array.isArray(value)) return value.map(formatChild).join("");
  if (!isDirectiveResult(value)) return escapeHtml(value);
  const { values } = value as unknown as { readonly values: readonly unknown[] };
  const Called = getDirectiveClass(value) as unknown as new (part: object) => Directive;
  return formatChild(new Called({ type: PartType.CHILD }).render(...values));
}
