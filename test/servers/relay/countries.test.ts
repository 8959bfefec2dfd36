import { createBankClient, createRelayClient } from "ventanilla";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, test } from "vitest";
import { startService } from "../../bank/service.ts";
import { API_KEY, readResponse, refused, stage } from "./stage.ts";

const countries = ["UY", "AR", "CL", "MX", "PE", "CO", "PA", "GT", "BR"];
const many = Array.from({ length: 50_000 }, (_, number) => ({
  code: `banco_${number}`,
  country: countries[number % countries.length],
  name: `Banco número ${number}`,
}));
const nowhere = { code: "sin_pais", country: "", name: "Banco sin país" };
const few = [
  { code: "faro_uy", country: "UY", name: "Banco Faro" },
  { code: "ceibo_ar", country: "ar", name: "Banco Ceibo" },
  { code: "mirador_gt", country: "GT", name: "Banco Mirador" },
  nowhere,
  { code: "sin_miembro", name: "Banco sin miembro" },
];

const stageBanks = async (providers: readonly object[] = few) =>
  stage({}, { bank: await startService(() => ({ json: { status: "success", providers } })) });
const codesOf = (response: object) =>
  "providers" in response ? (response.providers as { code: string }[]).map(({ code }) => code) : response;

describe("a page that asks for the banks of some countries", () => {
  test("gets these alone of 50,000, with those that have no country", async () => {
    const set = await stageBanks([...many, nowhere]);
    await set.browser({ directory: false }).listProviders();
    const response = await createRelayClient({ baseUrl: set.url, countries: ["UY"] }).listProviders();
    expect(codesOf(response)).toHaveLength(5_557);
    expect(codesOf(response)).toContain("sin_pais");
    const part = await (await set.send("/provider/?countries=UY")).text();
    const [whole] = set.traffic.map(({ response }) => response.text.length);
    expect(part.length * 8).toBeLessThan(whole ?? 0);
  });

  test.each([
    [["UY"], ["faro_uy", "sin_pais", "sin_miembro"]],
    [
      ["gt", "AR", "ar"],
      ["ceibo_ar", "mirador_gt", "sin_pais", "sin_miembro"],
    ],
    [["BO"], ["sin_pais", "sin_miembro"]],
    [undefined, ["faro_uy", "ceibo_ar", "mirador_gt", "sin_pais", "sin_miembro"]],
  ])("gets for %o %o over the wire", async (countries, codes) => {
    const set = await stageBanks();
    expect(codesOf(await set.browser(countries && { countries }).listProviders())).toEqual(codes);
    expect(set.traffic.map(({ response }) => codesOf(JSON.parse(response.text)))).toEqual([codes]);
  });

  test("costs the service no further request: the relay has one list", async () => {
    const set = await stageBanks();
    for (const options of [{ countries: ["UY"] }, { countries: ["AR"] }, {}])
      await set.browser(options).listProviders();
    expect(set.bank.lines()).toEqual(["GET /provider/"]);
    expect(set.bank.requests[0]?.url).toBe("/provider/");
  });

  test("shares a store with a page that asks for others", async () => {
    const set = await stageBanks();
    const store = createMemoryStore({ rows: new Map() });
    const read = async (countries: string[]) =>
      codesOf(await set.browser({ countries, directory: { store } }).listProviders());
    expect(await read(["UY", "GT"])).toEqual(["faro_uy", "mirador_gt", "sin_pais", "sin_miembro"]);
    expect(await read(["AR"])).toEqual(["ceibo_ar", "sin_pais", "sin_miembro"]);
    expect(await read(["gt", "uy"])).toEqual(["faro_uy", "mirador_gt", "sin_pais", "sin_miembro"]);
    expect(set.traffic).toHaveLength(2);
  });
});

test.each(["countries=", "countries=Uruguay", "countries=uy", "countries=UY&countries=AR", "country=UY"])(
  "the relay refuses the query %s, and the service sees nothing of it",
  async (query) => {
    const { send, bank } = await stageBanks();
    expect(await readResponse(await send(`/provider/?${query}`))).toEqual(refused(400, "Malformed query"));
    expect(bank.requests).toEqual([]);
  },
);

test("a relay that ignores the query sends every bank, and the page's client leaves the others out", async () => {
  const bank = await startService(() => ({
    json: { status: "success", providers: few },
    headers: { "x-ventanilla": "1" },
  }));
  const response = await createRelayClient({ baseUrl: bank.url, countries: ["uy"] }).listProviders();
  expect(codesOf(response)).toEqual(["faro_uy", "sin_pais", "sin_miembro"]);
  expect(bank.requests[0]?.url).toBe("/provider/?countries=UY");
});

test.each([[[]], ["UY"], [["Uruguay"]], [[""]], [[undefined]], [null]])("the option countries can't be %o", (wrong) => {
  const make = () => createRelayClient({ baseUrl: "/bank", countries: wrong as string[] });
  expect(make).toThrow("invalid_input: countries: must be one or more codes of two letters, such as UY");
});

test("a client of the service itself has no option countries", () => {
  const options = { baseUrl: "https://bank.example", apiKey: API_KEY, countries: ["UY"] };
  expect(() => createBankClient(options)).toThrow("invalid_input: countries: is not an option");
});
