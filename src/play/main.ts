import { defineBankLogin } from "../element/index.ts";
import { inspectLogin } from "../inspect/browser.ts";
import { type SandboxAccount, sandboxAccounts } from "../sandbox/index.ts";
import { bankInPage } from "./bank.ts";

defineBankLogin();

const element = document.querySelector("bank-login");
const account = document.querySelector("select");
const hint = document.querySelector("#hint");
const frame = document.querySelector("iframe");
if (!element || !account || !hint || !frame) throw new Error("The page is incomplete.");

element.client = bankInPage();
element.inspect = inspectLogin({ iframe: frame, url: "./viewer.html" });

const accountText = ({ provider, shows }: SandboxAccount) => `${provider}: ${shows}`;
account.append(
  new Option("…", ""),
  ...sandboxAccounts.map((one, index) => new Option(accountText(one), String(index))),
);
account.addEventListener("change", () => {
  const chosen = sandboxAccounts[Number(account.value)];
  element.provider = account.value === "" ? "" : chosen?.provider;
  hint.textContent = account.value === "" || !chosen ? "" : typed(chosen);
});

/** What to type as the user of an account. */
function typed({ username, password, fields = {}, answers = [] }: SandboxAccount): string {
  const values = Object.entries({ username, password, ...fields }).map(([name, value]) => `${name} ${value}`);
  return [...values, ...answers.map(({ field, answer }) => `then ${field} ${answer}`)].join(", ");
}
