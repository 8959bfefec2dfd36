// How `<bank-login>` may be written in Solid's JSX, and how not: compiled with the examples, never run.
import { createBankClient } from "ventanilla";
import type { BankLogin } from "ventanilla/solid/element";

const client = createBankClient({ baseUrl: "/bank/" });
const heard: string[] = [];
let element: BankLogin | undefined;

export const tags = () => (
  <>
    <bank-login relay="/bank/" provider="test" country="UY" locale="es" theme="dark" class="wide" />
    <bank-login client={client} client-selection destinations answer-timeout={60_000} texts={{ logIn: "Enter" }} />
    <bank-login prop:client={client} prop:clientSelection={true} prop:username="12345" />
    <bank-login
      ref={element}
      on:login={({ detail }) => heard.push(detail.provider)}
      on:cancel={() => heard.push("cancelled")}
    />
    {/* @ts-expect-error 2322: there is no such theme */}
    <bank-login theme="blue" />
    {/* @ts-expect-error 2322: Solid makes small letters of an attribute's name */}
    <bank-login clientSelection />
    {/* @ts-expect-error 2339: a login tells its bank, and no key */}
    <bank-login on:login={({ detail }) => heard.push(detail.key)} />
  </>
);
