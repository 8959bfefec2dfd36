import type { ProviderEntry, ProviderSearch } from "ventanilla";
import { describe, expect, test } from "vitest";
import { listCountries, searchProviders } from "../../../src/core/view/provider-search.ts";

const bank = (code: string, name: string, country: string): ProviderEntry => ({ code, name, country });

const providers = [
  bank("itau_br", "Itaú Unibanco", "BR"),
  bank("nacion_ar", "Banco de la Nación", "AR"),
  bank("galicia_ar", "Banco Galicia", "AR"),
  bank("brou_pers_uy_mock", "BROU Personas", "UY"),
  bank("cana_py", "Banco Caña", "PY"),
  bank("test", "Test", ""),
];

const found = (search?: ProviderSearch): string[] => searchProviders(providers, search).map(({ code }) => code);
const all = providers.map(({ code }) => code);

describe("a search finds", () => {
  test.each<[what: string, search: ProviderSearch | undefined, codes: string[]]>([
    ["every bank in the order of the list, without a search", undefined, all],
    ["every bank for an empty text", { text: "" }, all],
    ["every bank for blanks and marks", { text: " - , " }, all],
    ["a name without its accent", { text: "itau" }, ["itau_br"]],
    ["a name with an accent that it lacks", { text: "gálicia" }, ["galicia_ar"]],
    ["a name with its accent written apart", { text: "nacio\u0301n" }, ["nacion_ar"]],
    ["ñ as n", { text: "cana" }, ["cana_py"]],
    ["words in any case", { text: "bRoU" }, ["brou_pers_uy_mock"]],
    ["the beginning of a word", { text: "gal" }, ["galicia_ar"]],
    ["no middle of a word", { text: "licia" }, []],
    ["several words in any order", { text: "nacion banco" }, ["nacion_ar"]],
    ["only banks with every word", { text: "banco galicia nacion" }, []],
    ["words between marks", { text: "  banco,   (galicia) " }, ["galicia_ar"]],
    ["a code", { text: "brou_pers" }, ["brou_pers_uy_mock"]],
    ["a word of a code", { text: "mock" }, ["brou_pers_uy_mock"]],
    ["nothing if no bank matches", { text: "zzz" }, []],
    ["a word that lacks a letter", { text: "bnco cana" }, ["cana_py"]],
    ["a word with a letter too many", { text: "gallicia" }, ["galicia_ar"]],
    ["a word with another letter", { text: "galisia" }, ["galicia_ar"]],
    ["a word with two letters in each other's place", { text: "gailcia" }, ["galicia_ar"]],
    ["the beginning of a word, with a fault", { text: "unibnc" }, ["itau_br"]],
    ["a word of a code, with a fault", { text: "persnas" }, ["brou_pers_uy_mock"]],
    ["two words without the space between them", { text: "bancogalicia" }, ["galicia_ar"]],
    ["a code without its marks", { text: "brou pers uy mock" }, ["brou_pers_uy_mock"]],
    ["a word with a fault in a country", { text: "bamco", country: "PY" }, ["cana_py"]],
    ["no word with two faults", { text: "gllcia" }, []],
    ["no short word with a fault: too many have one", { text: "gxl" }, []],
    ["the banks of a country by its name", { text: "argentina" }, ["nacion_ar", "galicia_ar"]],
    ["the same in another language, with another word", { text: "brasil itau" }, ["itau_br"]],
    ["a country with a fault", { text: "paragauy" }, ["cana_py"]],
    ["a country by three letters only if nothing else begins so", { text: "par" }, ["cana_py"]],
    ["a shortened word", { text: "bco nacion" }, ["nacion_ar"]],
    [
      "a name of the host's own",
      { text: "bapro", aliases: { nacion_ar: ["Banco Provincia", "BAPRO"] } },
      ["nacion_ar"],
    ],
    ["no name of a bank that is called like a member of objects", { text: "native", aliases: {} }, []],
    ["initials", { text: "bn" }, ["nacion_ar"]],
    ["initials beside a word", { text: "bn nacion" }, ["nacion_ar"]],
    ["the banks of a country", { country: "AR" }, ["nacion_ar", "galicia_ar"]],
    ["every bank for an empty country", { country: "" }, all],
    ["nothing for a country that is not in the list", { country: "ar" }, []],
    ["words in a country", { text: "banco", country: "PY" }, ["cana_py"]],
    [
      "the banks of `first` first, in that order",
      { text: "banco", first: ["cana_py", "galicia_ar"] },
      ["cana_py", "galicia_ar", "nacion_ar"],
    ],
    ["no further banks because of `first`", { country: "UY", first: ["itau_br"] }, ["brou_pers_uy_mock"]],
    ["the list in its order if no bank of `first` is in it", { first: ["gone", "toString"] }, all],
  ])("%s", (_, search, codes) => {
    expect(found(search)).toEqual(codes);
  });
});

test("each country is listed once, in order, without the empty one", () => {
  expect(listCountries(providers)).toEqual(["AR", "BR", "PY", "UY"]);
});

describe("the best comes first:", () => {
  const crowd = [
    bank("bbva_mx", "BBVA México", "MX"),
    bank("brasil_br", "Banco do Brasil S.A.", "BR"),
    bank("santander_cl", "Banco Santander", "CL"),
    bank("chile_mx", "Banco de Chile", "MX"),
    bank("santa_uy", "Santa Teresa", "UY"),
    bank("santander", "Santander", "AR"),
    bank("salvador_sv", "Banco Agrícola", "SV"),
  ];
  test.each([
    ["initials before a beginning", "bb", ["brasil_br", "bbva_mx"]],
    ["the whole name, its beginning, a word of it", "santander", ["santander", "santander_cl"]],
    ["the beginning of a name or a code, in the order of the list", "sant", ["santander_cl", "santa_uy", "santander"]],
    ["a name before a country", "chile", ["chile_mx", "santander_cl"]],
    ["a country of two words, one of them short", "el salvador", ["salvador_sv"]],
  ])("%s", (_, text, codes) => {
    expect(searchProviders(crowd, { text }).map(({ code }) => code)).toEqual(codes);
  });
});

test("of a text as long as a book, the first 200 characters count", () => {
  expect(found({ text: `galicia ${" ".repeat(200)} nothing` })).toEqual(["galicia_ar"]);
  expect(found({ text: "a".repeat(1_000_000) })).toEqual([]);
  expect(found({ text: "banco ".repeat(10_000) })).toHaveLength(3);
});

describe("a list", () => {
  test("is prepared once, whatever is typed", () => {
    let reads = 0;
    const counted = providers.map(({ code, name, country }) => ({
      code,
      country,
      get name() {
        reads += 1;
        return name;
      },
    }));
    searchProviders(counted, { text: "b" });
    expect(reads).toBeGreaterThan(0);
    reads = 0;
    for (const text of ["ba", "bn nacion", "bnaco", "nobody"]) searchProviders(counted, { text, country: "AR" });
    expect(reads).toBe(0);
  });

  test("whose banks were changed in their place is searched as it is", () => {
    const list = [...providers];
    expect(searchProviders(list, { text: "itau" })).toHaveLength(1);
    list.reverse();
    expect(searchProviders(list, { text: "itau" }).map(({ code }) => code)).toEqual(["itau_br"]);
    list.pop();
    expect(searchProviders(list, { text: "itau" })).toEqual([]);
  });
});
