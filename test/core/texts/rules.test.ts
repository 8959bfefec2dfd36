import { describeFailure, type FailureCode, type Recovery } from "ventanilla";
import { describe, expect, test } from "vitest";
import { failures, findFailure } from "../../../src/core/api/failures.ts";
import {
  bankLanguages,
  commandTexts,
  componentTexts,
  failureTexts,
  fieldLabels,
  fillIn,
  findLocale,
  formTexts,
  hostedTexts,
  type Locale,
  locales,
  mcpTexts,
  readLanguage,
  type Texts,
} from "../../../src/core/texts/languages.ts";

const codes = Object.keys(failures) as FailureCode[];

interface Language {
  /** What helps, by the recovery of a failure. */
  readonly acts: Readonly<Record<Recovery, RegExp>>;
  /** What people don't know, or must not read: the insides of a program, and words that mean something else in a bank. */
  readonly neverRead: RegExp;
  /** Words before `{bank}` that would have to agree with the name, and words after it. */
  readonly neverBesideName: RegExp;
}

/** Matches whole words: `\\b` takes an accented letter for the end of a word. */
const words = (alternatives: string) => new RegExp(`(?<!\\p{L})(${alternatives})(?!\\p{L})`, "iu");

// A fourth language adds its row, or this does not compile.
const languages: Readonly<Record<Locale, Language>> = {
  en: {
    acts: {
      correct: /check (it|them)|fill in every field/i,
      retry: /(log in|try) again|log in here/i,
      wait: /wait a few minutes|try again later/i,
      closeSession: /to log in here, they have to be closed/i,
      changeProvider: /choose another one/i,
      contactBank: /contact the bank/i,
      report: /contact (its )?support/i,
    },
    neverRead: words(
      "services?|requests?|responses?|servers?|address(es)?|api|keys?|seal(ed)?|values?|params?|redirect(ed)?|altered|fetch(ing)?|go on|by itself|the application",
    ),
    neverBesideName: /\b(at|of) \{bank\}/i,
  },
  es: {
    acts: {
      correct: /(revíselos?|revise el usuario) y vuelva|complete todos los campos y vuelva/i,
      retry: /vuelva a (ingresar|intentarlo)|ingrese aquí/i,
      wait: /espere unos minutos|inténtelo más tarde/i,
      closeSession: /para ingresar aquí hay que cerrarlas/i,
      changeProvider: /elija otro/i,
      contactBank: /comuníquese con el banco/i,
      report: /avise a soporte/i,
    },
    neverRead: words(
      "servicios?|solicitud(es)?|servidor(es)?|direcci(ón|ones)|api|claves?|valor(es)?|redirig\\p{L}+|ingresos?|inicio de sesión|venció|seleccion\\p{L}+|el acceso|la aplicación|ingresar? (los|sus) datos|tú|tu",
    ),
    neverBesideName: /\b(en|de|del|el) \{bank\}|\{bank\} (está|es|terminó|quedó)/i,
  },
  pt: {
    acts: {
      correct: /(confira|preencha todos os campos) e tente novamente/i,
      retry: /(entre|tente) novamente|entre aqui/i,
      wait: /aguarde alguns minutos|tente novamente mais tarde/i,
      closeSession: /para entrar aqui é preciso encerrá-las/i,
      changeProvider: /escolha outro/i,
      contactBank: /fale com o banco/i,
      report: /fale com o suporte/i,
    },
    neverRead: words(
      "serviços?|solicitaç(ão|ões)|servidor(es)?|endereços?|api|chaves?|valor(es)?|redirecion\\p{L}+|selecion\\p{L}+|o aplicativo|(recebeu|recebido) o acesso|[oa]s? (seu|sua)s?",
    ),
    neverBesideName: /\b(no|na|de|do|da) \{bank\}|\{bank\} (está|é|terminou|ficou)/i,
  },
};

const buttons = [
  ...["logIn", "confirm", "confirmed", "retry", "changeProvider", "cancel", "cancelLink", "again", "zoom"],
  ...["show", "hide"],
] as const satisfies readonly (keyof ReturnType<typeof componentTexts>)[];
/** Buttons of single steps. The others, such as "Log in" and "Close", read like an act that a text may name. */
const seldom = ["zoom", "show", "hide", "changeProvider", "cancel", "replaceSession"] as const;

test("each language has the same texts, and none is empty", () => {
  const groups = [failureTexts, fieldLabels, formTexts, componentTexts].map(
    (group) => (locale: Locale) => group({ locale }),
  );
  const tables = [hostedTexts, mcpTexts, commandTexts].map((table) => (locale: Locale) => table(locale));
  for (const textsIn of [...groups, ...tables]) {
    for (const locale of locales) {
      expect(Object.keys(textsIn(locale)).sort()).toEqual(Object.keys(textsIn("en")).sort());
      expect(Object.values(textsIn(locale)).filter((text) => text.trim() !== text || text === "")).toEqual([]);
    }
  }
});

describe.each(locales)("in %s", (locale) => {
  const { acts, neverRead, neverBesideName } = languages[locale];
  const component = componentTexts({ locale });
  const onScreens = {
    ...failureTexts({ locale }),
    ...fieldLabels({ locale }),
    ...formTexts({ locale }),
    // The same names as above stand for other texts.
    ...Object.fromEntries(Object.entries(component).map(([name, text]) => [`component ${name}`, text])),
    ...Object.fromEntries(Object.entries(hostedTexts(locale)).map(([name, text]) => [`hosted ${name}`, text])),
    ...Object.fromEntries(Object.entries(mcpTexts(locale)).map(([name, text]) => [`mcp ${name}`, text])),
  };
  const find = (texts: object, isAgainst: (text: string) => boolean) =>
    Object.entries(texts).filter(([, text]) => isAgainst(text));

  test.each(codes)("%s says what happened, and the one act of its recovery", (code) => {
    const { text } = describeFailure(code, locale);
    expect(text).toMatch(/^[A-ZÉÚÓÍÁ][^_]+\.$/u);
    expect(text).toMatch(acts[findFailure(code).recovery]);
  });

  test("no inside of a program is on a person's screen, and no word that a bank uses for something else", () => {
    expect(find(onScreens, (text) => neverRead.test(text))).toEqual([]);
  });

  test("{bank} stands alone: no word has to agree with it", () => {
    expect(find(onScreens, (text) => neverBesideName.test(text))).toEqual([]);
  });

  test("a number comes last, after a colon", () => {
    expect(find(onScreens, (text) => /\{(count|time)\}/.test(text) && !/: \{(count|time)\}$/.test(text))).toEqual([]);
    expect(formTexts({ locale }).repeated).toMatch(/:$/);
  });

  test("a promised time is the real maximum", () => {
    expect(component.submitting).toMatch(/\b90 s\b/);
  });

  test("buttons have at most 28 characters, and texts end them without a full stop", () => {
    expect(buttons.map((name) => component[name]).filter((text) => text.length > 28 || /\.$/.test(text))).toEqual([]);
  });

  test("no text names a button that it is not shown with", () => {
    const sentences = { ...failureTexts({ locale }), ...formTexts({ locale }) };
    const named = seldom.flatMap((name) => find(sentences, (text) => text.includes(component[name])));
    expect(named).toEqual([]);
  });

  test("every placeholder is one of English", () => {
    const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [name, text] of Object.entries(component)) {
      expect(names(text), name).toEqual(names(componentTexts()[name as "search"]));
    }
    for (const [name, text] of Object.entries(hostedTexts(locale))) {
      expect(names(text), name).toEqual(names(hostedTexts("en")[name as "asks"]));
    }
  });

  test("the labels of banks are looked for in each language of the contract", () => {
    expect([...bankLanguages[locale]].sort()).toEqual(["en", "es"]);
  });
});

test.each([
  ["es", "es"],
  ["es-UY", "es"],
  ["es_UY.UTF-8", "es"],
  ["PT-br", "pt"],
  ["en.UTF-8", "en"],
  ["est", undefined],
  ["xx", undefined],
  ["C", undefined],
  ["", undefined],
  [undefined, undefined],
])("the language of %j is %j", (tag, locale) => {
  expect(findLocale(tag)).toBe(locale);
});

test.each([
  ["es-MX", "es"],
  ["pt-BR", "pt"],
  ["xx", "en"],
  [undefined, "en"],
])("a failure is described in the language of %j: %s", (tag, locale) => {
  expect(describeFailure("expired", tag).text).toBe(describeFailure("expired", locale).text);
});

describe("words of the caller's own", () => {
  const texts: Texts = { failures: { expired: "Le temps est écoulé." }, labels: { password: "Mot de passe" } };

  test("take the place of ours, and what they leave out is in the language, or in English", () => {
    expect(describeFailure("expired", "xx", texts).text).toBe("Le temps est écoulé.");
    expect(describeFailure("cancelled", "xx", texts).text).toBe(describeFailure("cancelled", "en").text);
    expect(describeFailure("cancelled", "es", texts).text).toBe(describeFailure("cancelled", "es").text);
    expect(fieldLabels({ locale: "xx", texts })).toEqual({
      ...fieldLabels({ locale: "en" }),
      password: "Mot de passe",
    });
  });

  test.each([
    ["xx-CA", "xx"],
    ["xx_XX.UTF-8", "xx"],
    ["es-UY", "es"],
    [undefined, "en"],
    ["C", "en"],
    ["x-private", "en"],
  ])("are in the language of %j: %s", (locale, language) => {
    expect(readLanguage({ locale, texts })).toBe(language);
    expect(readLanguage({ locale })).toBe(language === "es" ? "es" : "en");
  });
});

test("fillIn puts values into a text, and leaves a name that it has no value for", () => {
  expect(fillIn("{bank}: {count} of {total}", { bank: "$& {count}", count: 0 })).toBe("$& {count}: 0 of {total}");
});

test("in Spain a person logs in by a word that is not to pay money in", () => {
  const spain = { locale: "es-ES" };
  const others = [hostedTexts, mcpTexts, commandTexts].map((find) => find("es_ES.UTF-8"));
  const texts = [failureTexts(spain), formTexts(spain), componentTexts(spain), ...others].flatMap((group) =>
    Object.values<string>(group),
  );
  expect(texts.filter((text) => /ingres|\be acc/i.test(text))).toEqual([]);
  expect(componentTexts(spain)).toMatchObject({
    logIn: "Acceder",
    logInAt: "Acceda a {bank}",
    loggedIn: "Listo, ya accedió",
    submitting: "Accediendo (hasta 90 s)…",
  });
  expect(failureTexts(spain).expired).toBe("Se agotó el tiempo para responder. Vuelva a acceder.");
  expect(componentTexts({ locale: "es-MX" }).logIn).toBe("Ingresar");
});
