import { type SandboxAccount, sandboxAccounts } from "../../tools/sandbox/index.ts";
import { startLiveLogin } from "./live-login.ts";

const element = document.querySelector("bank-login");
const account = document.querySelector("select");
const hint = document.querySelector("#hint");
const frame = document.querySelector("iframe");
if (!element || !account || !hint || !frame) throw new Error("The page is incomplete.");

startLiveLogin(element, frame, "./viewer.html");

const options = sandboxAccounts.map(({ provider, shows }, index) => new Option(`${provider}: ${shows}`, String(index)));
account.append(new Option("Choose one to see what to type", ""), ...options);
account.addEventListener("change", () => {
  const chosen = account.value === "" ? undefined : sandboxAccounts[Number(account.value)];
  element.provider = chosen?.provider ?? "";
  hint.textContent = chosen ? formatAccount(chosen) : "";
});

function formatAccount({ username, password, fields = {}, answers = [] }: SandboxAccount): string {
  const values = Object.entries({ username, password, ...fields }).map(([name, value]) => `${name} ${value}`);
  return [
    ...values,
    ...answers.map(
      ({ field, answer, together = {} }) =>
        `then ${[[field, answer], ...Object.entries(together)].map((pair) => pair.join(" ")).join(" and ")}`,
    ),
  ].join(", ");
}
