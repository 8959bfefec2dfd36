// How `<bank-login>` may be written in React's JSX, and how not: compiled with the examples, never run.
import { createRelayClient } from "ventanilla";
import { BankLogin, type BankLoginElement } from "ventanilla/react/element";

const client = createRelayClient({ baseUrl: "/bank/" });
const heard: string[] = [];

export const tags = (
  <>
    <bank-login relay="/bank/" client-selection="" answer-timeout="60000" theme="dark" className="wide" />
    <bank-login
      client={client}
      clientSelection
      destinations
      answerTimeout={60_000}
      texts={{ component: { logIn: "Enter" } }}
    />
    <bank-login onlogin={({ detail }) => heard.push(detail.provider)} oncancel={() => heard.push("cancelled")} />
    <bank-login ref={(element: BankLoginElement | null) => element?.restart()} />
    {/* @ts-expect-error 2322: there is no such theme */}
    <bank-login theme="blue" />
    {/* @ts-expect-error 2322: no such property */}
    <bank-login bank="test" />
    {/* @ts-expect-error 2339: a login tells its bank, and no key */}
    <bank-login onlogin={({ detail }) => heard.push(detail.key)} />
  </>
);

export const components = (
  <>
    <BankLogin relay="/bank/" username="12345" clientSelection className="wide" data-testid="login" />
    <BankLogin onFailure={({ detail }) => heard.push(detail.code)} ref={(element) => element?.restart()} />
    {/* @ts-expect-error 2322: the component has no event of this name */}
    <BankLogin onlogin={() => heard.push("login")} />
    {/* @ts-expect-error 2339: a failure has a code, and no provider */}
    <BankLogin onFailure={({ detail }) => heard.push(detail.provider)} />
    {/* @ts-expect-error 2559: what the component shows is its own */}
    <BankLogin>Log in</BankLogin>
  </>
);
