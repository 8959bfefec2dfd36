import { describeProvider } from "../sandbox/bank-model.ts";
import { banks } from "../sandbox/banks/index.ts";
import { asks, findAccount, responds, type Scenario, scenario } from "./scenario.ts";

// A screen may cut none of them: each has more than 200 letters, and differs from the others at its end.
const question =
  "Para proteger su cuenta le pedimos un dato más. Abra la aplicación de su banco en el teléfono que registró, elija Seguridad y después Claves, " +
  "busque la tarjeta de coordenadas de su empresa y escriba aquí los seis números que aparecen en la fila C, columna 7";
const labels = {
  label_en:
    "Kind of account: choose what the contract that you signed at your branch says on its first page, below the number of the customer and " +
    "above the signature of the manager, even if you have been told another name for it on the telephone",
  label_es:
    "Tipo de cuenta: elija lo que dice el contrato que usted firmó en su sucursal, en la primera página, debajo del número de cliente y encima " +
    "de la firma del gerente, también si por teléfono le han dicho otro nombre para esa misma cuenta",
  label_pt:
    "Tipo de conta: escolha o que diz o contrato que você assinou na sua agência, na primeira página, abaixo do número de cliente e acima da " +
    "assinatura do gerente, mesmo que por telefone lhe tenham dito outro nome para essa mesma conta",
};
const company = {
  label_en:
    "An account of a company, a foundation, a cooperative, an association, a condominium or another legal person whose representatives are " +
    "listed in the public register, with one user for each of these representatives",
  label_es:
    "Una cuenta de una empresa, una fundación, una cooperativa, una asociación, un consorcio u otra persona jurídica cuyos representantes " +
    "figuran en el registro público, con un usuario para cada uno de estos representantes",
  label_pt:
    "Uma conta de uma empresa, uma fundação, uma cooperativa, uma associação, um condomínio ou outra pessoa jurídica cujos representantes " +
    "constam do registro público, com um usuário para cada um desses representantes",
};
const name =
  "Compañía Sudamericana Ficticia de Transportes Fluviales, Marítimos y Terrestres, Almacenes Generales de Depósito, Representaciones, " +
  "Mandatos, Importaciones y Exportaciones, Sociedad Anónima Comercial, Industrial y Financiera, sucursal";
const clients = { 0: `${name} norte`, 1: `${name} sur` };

const account = findAccount("ceibo_ar", "group");
const found = banks.get(account.provider);
if (!found) throw new Error("The sandbox has no such bank.");
const provider = describeProvider(
  {
    ...found,
    authFields: found.authFields.map((field) =>
      field.choices
        ? {
            ...field,
            ...labels,
            choices: field.choices.map((choice) => (choice.name === "corp" ? { ...choice, ...company } : choice)),
          }
        : field,
    ),
  },
  undefined,
);

const key = "the-key-of-a-bank-with-long-texts";
const short = "SMS";

/** A bank whose texts are longer than a screen may cut; a short question follows the long one. */
export const longTexts: Scenario = {
  ...scenario(account.provider, account.username, "the texts of the bank are long", [
    { answers: ["246802"], says: [] },
  ]),
  settings: { clientSelection: true },
  ownTexts: { provider, clients },
  faults: [
    responds("GET /provider/{code}/", { body: { status: "success", provider } }, undefined, "always"),
    responds(
      "POST /login/",
      { body: { status: "interaction_required", field: "token", context: question, key } },
      asks("token", question),
    ),
    responds(
      "POST /login/",
      { body: { status: "interaction_required", field: "otp", context: short, key } },
      asks("otp", short),
      2,
    ),
    responds("POST /login/", { body: { status: "select_client", key } }, "client", 3),
    responds("GET /client/", { body: { status: "success", clients } }, undefined, "always"),
    responds("GET /client/{id}/", { body: { status: "success" } }, undefined, "always"),
    responds("GET /transfer/destinations", { body: { status: "success", destinations: [] } }, undefined, "always"),
  ],
};
