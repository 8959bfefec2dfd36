import fc from "fast-check";
import type { ProviderEntry } from "ventanilla";
import { describe, expect, test, vi } from "vitest";
import { listCountries, type ProviderSearch, searchProviders } from "../../../src/core/view/provider-search.ts";

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
    ["no word of less than eight letters with two faults", { text: "gllcia" }, []],
    ["two words with a fault each, one of them short", { text: "prsonas bru" }, ["brou_pers_uy_mock"]],
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
    bank("muscat_om", "Bank Muscat", "OM"),
  ];
  test.each([
    ["initials before a beginning", "bb", ["brasil_br", "bbva_mx"]],
    ["the whole name, its beginning, a word of it", "santander", ["santander", "santander_cl"]],
    ["the beginning of a name or a code, in the order of the list", "sant", ["santander_cl", "santa_uy", "santander"]],
    ["a name before a country", "chile", ["chile_mx", "santander_cl"]],
    ["a country of two words, one of them short", "el salvador", ["salvador_sv"]],
    ["a country with a short name in one language", "omã", ["muscat_om"]],
  ])("%s", (_, text, codes) => {
    expect(searchProviders(crowd, { text }).map(({ code }) => code)).toEqual(codes);
  });
});

describe("what a person copies or half remembers finds the bank first:", () => {
  // As their supervisors list them, with the legal form.
  const real: readonly (readonly [country: string, banks: Readonly<Record<string, string>>])[] = [
    [
      "AR",
      {
        galicia_ar: "Banco de Galicia y Buenos Aires S.A.U.",
        macro_ar: "Banco Macro S.A.",
        bna_ar: "Banco de la Nación Argentina",
        provincia_ar: "Banco de la Provincia de Buenos Aires",
        credicoop_ar: "Banco Credicoop Cooperativo Limitado",
        patagonia_ar: "Banco Patagonia S.A.",
        hipotecario_ar: "Banco Hipotecario S.A.",
      },
    ],
    [
      "BO",
      {
        mercantil_bo: "Banco Mercantil Santa Cruz S.A.",
        union_bo: "Banco Unión S.A.",
        bnb_bo: "Banco Nacional de Bolivia S.A.",
      },
    ],
    [
      "BR",
      {
        bradesco_br: "Banco Bradesco S.A.",
        bb_br: "Banco do Brasil S.A.",
        itau_br: "Itaú Unibanco S.A.",
        caixa_br: "Caixa Econômica Federal",
        nubank_br: "Nu Pagamentos S.A.",
        sicoob_br: "Banco Cooperativo Sicoob S.A.",
      },
    ],
    [
      "CL",
      {
        estado_cl: "Banco del Estado de Chile",
        chile_cl: "Banco de Chile",
        bci_cl: "Banco de Crédito e Inversiones",
        falabella_cl: "Banco Falabella",
        santander_cl: "Banco Santander-Chile",
      },
    ],
    [
      "CO",
      {
        bancolombia_co: "Bancolombia S.A.",
        davivienda_co: "Banco Davivienda S.A.",
        bogota_co: "Banco de Bogotá",
        agrario_co: "Banco Agrario de Colombia S.A.",
        cajasocial_co: "Banco Caja Social S.A.",
      },
    ],
    [
      "CR",
      {
        bncr_cr: "Banco Nacional de Costa Rica",
        bcr_cr: "Banco de Costa Rica",
        popular_cr: "Banco Popular y de Desarrollo Comunal",
      },
    ],
    [
      "EC",
      {
        pichincha_ec: "Banco Pichincha C.A.",
        guayaquil_ec: "Banco Guayaquil S.A.",
        produbanco_ec: "Banco de la Producción S.A. Produbanco",
      },
    ],
    [
      "GT",
      {
        industrial_gt: "Banco Industrial, S.A.",
        banrural_gt: "Banco de Desarrollo Rural, S.A.",
        gyt_gt: "Banco G&T Continental, S.A.",
      },
    ],
    [
      "MX",
      {
        bbva_mx: "BBVA México, S.A., Institución de Banca Múltiple",
        banorte_mx: "Banco Mercantil del Norte, S.A.",
        azteca_mx: "Banco Azteca, S.A.",
        compartamos_mx: "Compartamos Banco, S.A. de C.V.",
        bajio_mx: "Banco del Bajío, S.A.",
      },
    ],
    [
      "PE",
      {
        bcp_pe: "Banco de Crédito del Perú",
        interbank_pe: "Banco Internacional del Perú S.A.A. - Interbank",
        nacion_pe: "Banco de la Nación",
        sanmartin_pe: "Cooperativa de Ahorro y Crédito San Martín de Porres Ltda.",
        scotiabank_pe: "Scotiabank Perú S.A.A.",
      },
    ],
    [
      "UY",
      {
        brou_uy: "Banco de la República Oriental del Uruguay",
        bhu_uy: "Banco Hipotecario del Uruguay",
        scotia_uy: "Scotiabank Uruguay S.A.",
        itau_uy: "Banco Itaú Uruguay S.A.",
      },
    ],
  ];
  const listed = real.flatMap(([country, banks]) =>
    Object.entries(banks).map(([code, name]) => bank(code, name, country)),
  );

  test.each([
    // From a card, a statement or an e-mail.
    ["BANCO DO BRASIL S.A.", "bb_br"],
    ["itau unibanco s/a", "itau_br"],
    ["ITAÚ UNIBANCO S. A.", "itau_br"],
    ["Banco Macro SA", "macro_ar"],
    ["BANCO AZTECA, S.A. DE C.V.", "azteca_mx"],
    ["compartamos banco sa de cv", "compartamos_mx"],
    ["coop. san martin de porres ltda", "sanmartin_pe"],
    ["BCO. DE GALICIA", "galicia_ar"],
    ["BANCO DE BOGOTA S.A.", "bogota_co"],
    ["banco g&t continental", "gyt_gt"],
    ["www.itau.com.br", "itau_br"],
    ["https://www.bancolombia.com/personas", "bancolombia_co"],
    ["bancofalabella.cl", "falabella_cl"],
    ["https://ib.bradesco.com.br/login?x=1", "bradesco_br"],
    ["bncr.fi.cr", "bncr_cr"],
    // With slips.
    ["cooperatvia sna martin", "sanmartin_pe"],
    ["davivenda", "davivienda_co"],
    ["bacno pichinhca", "pichincha_ec"],
    ["scotibnak peru", "scotiabank_pe"],
    ["hipotecraio uruguay", "bhu_uy"],
    ["caixa economcia", "caixa_br"],
    ["falavela", "falabella_cl"],
    // As people call it.
    ["bb", "bb_br"],
    ["brou", "brou_uy"],
    ["cef", "caixa_br"],
    ["produbanco", "produbanco_ec"],
    ["banco de chile", "chile_cl"],
    ["interbank", "interbank_pe"],
    ["banco nacion peru", "nacion_pe"],
    ["popular costa rica", "popular_cr"],
    ["banco union bolivia", "union_bo"],
    ["provincia de buenos aires", "provincia_ar"],
  ])("%s", (text, code) => {
    expect(searchProviders(listed, { text })[0]?.code).toBe(code);
  });
});

// The contract leaves the format of a country open (section 2.1).
describe("a country of the service", () => {
  const listed = ["UY", "uy", "Uruguay", "URY", ""].map((country, at) => bank(`bank_${at}`, `Banco ${at}`, country));

  test("is looked up if it is two letters, in capitals or not", () => {
    expect(searchProviders(listed, { text: "uruguai" }).map(({ country }) => country)).toEqual(["UY", "uy"]);
  });

  test("stays as it is, and is chosen as it is", () => {
    expect(listCountries(listed)).toEqual(["URY", "UY", "Uruguay", "uy"]);
    expect(searchProviders(listed, { country: "Uruguay" })).toEqual([listed[2]]);
  });

  test("that is another text costs a search nothing, however many there are", () => {
    let made = 0;
    class CountedArray extends Uint32Array {
      constructor(...parts: ConstructorParameters<typeof Uint32Array>) {
        super(...parts);
        made += 1;
      }
    }
    vi.stubGlobal("Uint32Array", CountedArray);
    const countIndexes = (countries: number) => {
      made = 0;
      const odd = Array.from({ length: countries }, (_, at) => bank("bank", "Banco", `C${at}`));
      for (const text of ["uruguay", "zzzz"]) searchProviders(odd, { text });
      return made;
    };
    expect(countIndexes(300)).toBe(countIndexes(1));
    vi.unstubAllGlobals();
  });

  test("has its names from one table for each language", () => {
    const { DisplayNames } = Intl;
    const made = vi.spyOn(Intl, "DisplayNames").mockImplementation((...parts) => new DisplayNames(...parts));
    const codes = ["AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO"];
    searchProviders(
      codes.map((code) => bank(code, code, code)),
      { text: "zzzz" },
    );
    expect(made.mock.calls.length).toBeLessThanOrEqual(3);
    made.mockRestore();
  });
});

test("a text is found however often it has the same word", () => {
  expect(found({ text: "galicia ".repeat(20) })).toEqual(["galicia_ar"]);
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

describe("the index finds, in the same order, what a look at each word of each bank finds:", () => {
  /** Where the words of each bank begin, each with all that follows it in the list. */
  const listTails = (texts: readonly (readonly string[])[]) => {
    const lines = texts.map((text) => text.map((line) => `\n${line}`).join(""));
    const whole = [...lines, "\n"].join("");
    let end = 0;
    return lines.map((text) => {
      const start = end;
      end += text.length;
      return [...whole.slice(start, end).matchAll(/[\n ]/g)].map(({ index }) => ({
        isFirst: whole[start + index] === "\n",
        tail: whole.slice(start + index + 1),
      }));
    });
  };
  const isSimilar = (tail: string, word: string) =>
    Array.from(word, (_, at) => {
      const [before, letter, rest] = [word.slice(0, at), word[at] ?? "", word.slice(at + 1)];
      const goesOn = (from: number, text: string) => tail.startsWith(before) && tail.startsWith(text, from);
      const swapped = rest !== "" && goesOn(at, `${rest[0]}${letter}${rest.slice(1)}`);
      return goesOn(at, rest) || goesOn(at + 1, rest) || goesOn(at + 1, letter + rest) || swapped;
    }).some(Boolean);
  /** Banks without a country and names without accents and legal forms: what remains is the index. */
  const findSlowly = (banks: readonly ProviderEntry[], aliases: Record<string, string[]>, text: string) => {
    const words = text.split(" ");
    const own = listTails(
      banks.map(({ name, code }) => [name, code, ...(code.includes("_") ? [code.replaceAll("_", " ")] : [])]),
    );
    const others = listTails(banks.map(({ code }) => aliases[code] ?? []));
    const rated = banks.map((bank, at) => {
      const tails = [...(own[at] ?? []), ...(others[at] ?? [])];
      const lines = tails.filter(({ isFirst }) => isFirst);
      const initials = bank.name
        .split(" ")
        .map((word) => word[0])
        .join("");
      const has = (word: string) => word === initials || tails.some(({ tail }) => tail.startsWith(word));
      const isNear = (word: string) =>
        tails.some(
          ({ tail }) => tail.startsWith(word) || (word.length > (words.length > 1 ? 2 : 3) && isSimilar(tail, word)),
        );
      const begins = (text: string) => lines.some(({ tail }) => tail.startsWith(text));
      const rank =
        [true, begins(text), text === initials, begins(`${text}_`), begins(`${text}\n`)].lastIndexOf(true) + 1;
      return { bank, rank: words.every(has) ? rank : 0, isNear: words.every(isNear) };
    });
    const found = [5, 4, 3, 2, 1].flatMap((wanted) => rated.filter(({ rank }) => rank === wanted));
    return (found.length > 0 ? found : rated.filter(({ isNear }) => isNear)).map(({ bank }) => bank);
  };

  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom("k", "n", "o", "中"), minLength: 1, maxLength: 6 }),
    fc.constantFrom("knonk", "konno", "noko"),
  );
  const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
  const list = fc.uniqueArray(
    fc.record({ name: text, code: text.map((text) => text.replaceAll(" ", "_")), country: fc.constant("") }),
    { selector: ({ code }) => code, minLength: 1, maxLength: 12 },
  );

  test("whatever the names and the searches, one after the other", () => {
    fc.assert(
      fc.property(list, text, fc.array(text, { minLength: 1, maxLength: 8 }), (banks, alias, texts) => {
        const aliases = { [banks[0]?.code ?? ""]: [alias] };
        for (const text of texts) {
          expect(searchProviders(banks, { text, aliases })).toEqual(findSlowly(banks, aliases, text));
        }
      }),
      { numRuns: 150 },
    );
  });
});
